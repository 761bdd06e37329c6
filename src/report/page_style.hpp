// The style of pages. Text has a contrast of at least 4.5 to its background (WCAG 2, level AA), in both
// schemes: tests/report/page_test.py computes it in a browser. On paper the scheme is light.
#pragma once

#include <string_view>

namespace tulle {

inline constexpr std::string_view kPageStyle = R"css(
:root{color-scheme:light;--ink:#1d2430;--soft:#4a5568;--paper:#fff;--card:#f3f6f9;--line:#d5dbe3;--accent:#1b5e9b;
--good:#14663b;--good-card:#e6f4ec;--warning:#7a4a00;--warning-card:#fdf3dc;--alarming:#9b1c1c;--alarming-card:#fdecea}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--ink:#e6e9ee;--soft:#a9b4c2;--paper:#14181d;
--card:#1e252d;--line:#39424e;--accent:#8cc0ee;--good:#86d9a8;--good-card:#12291d;--warning:#f0c36a;--warning-card:#2e2410;
--alarming:#f6adaa;--alarming-card:#341919}}
*{box-sizing:border-box}
body{font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:58rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0 1rem}
h2{font-size:1.25rem;margin:2.2rem 0 .6rem;padding-bottom:.2rem;border-bottom:2px solid var(--line)}
a{color:var(--accent)}
a:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
nav ol{display:flex;flex-wrap:wrap;gap:.2rem 1.6rem;padding-left:1.2rem;margin:1rem 0}
.notice{border-left:.4rem solid;border-radius:.3rem;padding:.7rem 1rem;margin:1rem 0}
.notice strong{display:block}
.notice span{color:var(--ink)}
.good{color:var(--good);background:var(--good-card)}
.warning{color:var(--warning);background:var(--warning-card)}
.alarming{color:var(--alarming);background:var(--alarming-card)}
tr.alarming td{color:var(--ink);background:var(--alarming-card)}
.key{display:flex;flex-wrap:wrap;align-items:center;gap:.3rem 1.2rem;background:var(--card);border-radius:.5rem;padding:.8rem 1.2rem;margin:1rem 0}
.key b{font-size:2.6rem;line-height:1.1;color:var(--accent);white-space:nowrap}
.key span{flex:1 1 16rem}
dl{display:grid;grid-template-columns:minmax(7rem,14rem) 1fr;gap:.35rem 1.2rem;margin:1rem 0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
th{background:var(--card)}
pre{background:var(--card);padding:.6rem .9rem;border-radius:.3rem;white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0 1rem}
.drawings{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1rem 2rem}
figure{margin:1rem 0;break-inside:avoid}
figcaption{color:var(--soft);margin-top:.3rem}
svg{max-width:100%;height:auto;display:block}
section.owner{border:2px dashed var(--warning);border-radius:.5rem;padding:0 1rem 1rem;margin-top:2.5rem}
@media (max-width:32rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}}
@media print{body{max-width:none;padding:0;font-size:10.5pt}nav{display:none}.scroll{overflow:visible}table{font-size:9pt}th,td{padding:.2rem .35rem}
h2{break-after:avoid}tr,.notice,.key{break-inside:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
@page{margin:18mm 16mm}
)css";

}  // namespace tulle
