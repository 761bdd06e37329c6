"""The C++ lines of the README compile."""
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).parents[2]


def test_the_cpp_lines_of_the_readme_compile(tmp_path):
    (block,) = re.findall(r"^```cpp\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    include, _, lines = block.partition("\n\n")
    source = tmp_path / "readme.cpp"
    source.write_text(f"{include}\nint main() {{\n{lines}}}\n")
    flags = subprocess.run(["pkg-config", "--cflags", "eigen3"], capture_output=True, text=True, check=True).stdout.split()
    done = subprocess.run(["c++", "-std=c++20", "-fsyntax-only", f"-I{ROOT / 'include'}", *flags, source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
