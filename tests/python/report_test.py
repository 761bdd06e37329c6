"""Pages of runs in a real browser: nothing fails, nothing is asked of the network, charts are drawn, the keyboard reaches what there is
to reach, and texts stand out from what they stand on, light and dark, on a phone and on paper."""
import base64
import os
import pathlib
import subprocess

import numpy as np
import pytest
import tulle

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"

# Every visible text with the colours it has and stands on: the nearest background that is not transparent, or of texts in drawings
# the drawing's paper. Contrast by WCAG 2: (L1 + 0.05) / (L2 + 0.05) of relative luminances.
CONTRASTS = """
const luminance = ([r, g, b]) => {
  const linear = [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
};
const parts = text => (text.match(/[\\d.]+/g) || []).map(Number);
const opaque = colour => colour.length == 3 || colour.length == 4 && colour[3] == 1;
const behind = element => {
  for (let e = element; e; e = e.parentElement) {
    const paper = e.tagName == 'svg' && e.querySelector('.paper');
    const colour = parts(paper ? getComputedStyle(paper).fill : getComputedStyle(e).backgroundColor);
    if (colour.length && opaque(colour)) return colour;
  }
  return [255, 255, 255];
};
const found = [];
for (const element of document.querySelectorAll('body *')) {
  if (![...element.childNodes].some(n => n.nodeType == 3 && n.data.trim()) || element.closest('style')) continue;
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  if (!box.width || style.visibility == 'hidden') continue;
  const text = luminance(parts(element.closest('svg') ? style.fill : style.color)), paper = luminance(behind(element));
  found.push([element.textContent.trim().slice(0, 40), (Math.max(text, paper) + 0.05) / (Math.min(text, paper) + 0.05)]);
}
return found;
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page that the command wrote, with a part for the owner, and one of an estimator."""
    folder = tmp_path_factory.mktemp("pages")
    random = np.random.default_rng(1)
    level, kind = random.normal(3, 0.5, 30), random.normal(size=30)
    lines = [f"u{u},film {f},{np.clip(level[f] + 0.5 * random.normal() * kind[f], 1, 5):.1f}\n"
             for u in range(120) for f in random.choice(30, 12, replace=False)]
    (folder / "ratings.csv").write_text("user,film,rating\n" + "".join(lines))
    subprocess.run([os.environ["TULLE_COMMAND"], "complete", "ratings.csv", "--unit", "user", "--user-mode", "user", "--public", "film",
                    "--epsilon", "1", "--delta", "1e-6", "--range", "1:5", "--holdout", "0.2", "--report", "command.html", "--curve", "1,10"],
                   cwd=folder, check=True, capture_output=True)
    ratings = random.random((20, 10)) * 4 + 1
    model = tulle.CP(method="gradient", rank=2, steps=10, epsilon=2, delta=1e-5, range=(1, 5), seed=5).fit(ratings)
    model.report(folder / "estimator.html")
    return [folder / "command.html", folder / "estimator.html"]


@pytest.fixture(scope="module")
def browser():
    """One for all tests: it takes longer to start than they take."""
    from selenium import webdriver

    assert os.path.exists(DRIVER), "no chromium-driver; run: scripts/setup test"
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def open_page(browser, path, *, width=1000, scheme="light", media=""):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500})
    browser.get(pathlib.Path(path).as_uri())


def test_pages_open_without_an_error_and_ask_for_nothing(browser, pages):
    for path in pages:
        browser.get_log("performance")
        open_page(browser, path)
        assert browser.get_log("browser") == []
        asked = [entry["message"] for entry in browser.get_log("performance") if '"Network.requestWillBeSent"' in entry["message"]]
        assert asked and all(path.as_uri() in message or '"url":"data:,"' in message for message in asked)
        assert browser.execute_script("return document.scripts.length + document.querySelectorAll('[src], link[href^=http]').length") == 0


def test_charts_are_drawn(browser, pages):
    """Each with lines, bars or cells inside of its frame, and a label that is read aloud."""
    for path, least in zip(pages, (5, 6)):
        open_page(browser, path)
        charts = browser.execute_script("""return [...document.querySelectorAll('figure svg')].map(svg => [
          svg.getAttribute('role'), svg.getAttribute('aria-label'), svg.getBoundingClientRect().width,
          [...svg.querySelectorAll('polyline, rect:not(.paper)')].filter(e => e.getBBox().width > 0).length])""")
        assert len(charts) >= least
        assert all(role == "img" and label and width > 200 and drawn > 0 for role, label, width, drawn in charts), charts


def test_the_keyboard_reaches_links_and_wide_tables_and_shows_where_it_is(browser, pages):
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    open_page(browser, pages[0])
    expected = browser.execute_script("return document.querySelectorAll('a[href], [tabindex]').length")
    reached = []
    for _ in range(expected):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        reached.append(browser.execute_script("""const e = document.activeElement, style = getComputedStyle(e);
          return [e.outerHTML.slice(0, 60), style.outlineStyle, parseFloat(style.outlineWidth)]"""))
    assert len({name for name, _, _ in reached}) > 8 and len(reached) == expected
    assert all(style == "solid" and width >= 2 for _, style, width in reached), reached
    browser.find_element("css selector", "nav a[href='#part-3']").send_keys(Keys.ENTER)
    top = "return document.querySelector('#part-3').getBoundingClientRect().top"
    WebDriverWait(browser, 10).until(lambda browser: abs(browser.execute_script(top)) < 60)  # pages scroll in their own time


@pytest.mark.parametrize("scheme, media", [("light", ""), ("dark", ""), ("dark", "print")])
def test_texts_stand_out(browser, pages, scheme, media):
    for path in pages:
        open_page(browser, path, scheme=scheme, media=media)
        contrasts = browser.execute_script(CONTRASTS)
        assert len(contrasts) > 100
        assert min(contrast for _, contrast in contrasts) >= 4.5, sorted(contrasts, key=lambda each: each[1])[:5]
        dark = sum(map(int, browser.execute_script("return getComputedStyle(document.body).backgroundColor").strip("rgb()").split(","))) < 300
        assert dark == (scheme == "dark" and media == "")  # paper is white, whatever the screen is


def test_a_phone_shows_all_of_the_page(browser, pages):
    for path in pages:
        open_page(browser, path, width=360)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
        sizes = browser.execute_script("""return [...document.querySelectorAll('svg text')].map(e =>
          parseFloat(getComputedStyle(e).fontSize) * e.ownerSVGElement.getBoundingClientRect().width / e.ownerSVGElement.viewBox.baseVal.width)""")
        assert min(sizes) >= 9


def test_paper_has_the_page_on_a_few_sheets(browser, pages):
    open_page(browser, pages[0])
    printed = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})["data"])
    assert printed.startswith(b"%PDF") and 2 <= printed.count(b"/Type /Page\n") <= 8
