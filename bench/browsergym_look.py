"""BrowserGym's look at a page, for `browser.py`: run by the Python of an environment that has browsergym-core 0.14.3.

    PYTHON bench/browsergym_look.py CHROMIUM ADDRESS WIDTH HEIGHT

For every line on standard input it looks once (DOM, accessibility tree and screenshot; of these the text and the marked
picture), and prints a line when it has. Its chat window starts a browser of its own without being told which, so that
Playwright is told for both.
"""

import argparse
import sys


def main() -> None:
    """Open the page, and look at it as often as told."""
    parser = argparse.ArgumentParser(description="The half of browser.py that runs in BrowserGym's environment.")
    parser.add_argument("told", nargs="*", metavar="CHROMIUM ADDRESS WIDTH HEIGHT")
    told: list[str] = parser.parse_args().told
    if not told:
        print("nothing measured: it is started by browser.py")
        return
    program, address, width, height = told

    from browsergym.core.env import BrowserEnv
    from browsergym.core.task import OpenEndedTask
    from browsergym.utils.obs import flatten_axtree_to_str, overlay_som
    from playwright.sync_api import BrowserType

    launch = BrowserType.launch
    BrowserType.launch = lambda *given, **more: launch(*given, **{**more, "executable_path": program})
    viewport = {"width": int(width), "height": int(height)}
    env = BrowserEnv(OpenEndedTask, task_kwargs={"start_url": address, "goal": "look"}, viewport=viewport)
    env.reset(seed=0)
    for _ in sys.stdin:
        seen = env._get_obs()
        flatten_axtree_to_str(seen["axtree_object"])
        overlay_som(seen["screenshot"], seen["extra_element_properties"])
        print("seen", flush=True)
    env.close()


if __name__ == "__main__":
    main()
