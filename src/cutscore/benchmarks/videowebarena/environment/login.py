"""Logging in before a task, by the form of the site, and seeing that it worked. A login that fails is ours."""

import json
import os
from contextlib import suppress
from urllib.parse import quote, urlsplit

from cutscore.benchmarks.videowebarena.sites import SiteAddresses
from cutscore.core.errors import Stopped, Unscored
from cutscore.environments.browser.session import ANSWER_S, BrowserSession, PageFault
from cutscore.environments.browser.settle import settle

# Where the published sites ask for account and password; others do at /login unless their entry says so.
PATHS = {
    "classifieds": "/index.php?page=login",
    "gitlab": "/users/sign_in",
    "reddit": "/login",
    "shopping": "/customer/account/login/",
    "shopping_admin": "",
}
# The form with a password in it, the field for the account above that, and its button; null where there is none.
_FIND = """(() => {
  const secret = [...document.querySelectorAll('input[type="password"]')].find(each => each.checkVisibility());
  if (!secret) return false;
  const own = [...(secret.form || document).querySelectorAll("input")].filter(
    each => ["text", "email", ""].includes(each.type) && each.checkVisibility());
  const account = own.filter(each => each.compareDocumentPosition(secret) & Node.DOCUMENT_POSITION_FOLLOWING).pop();
  if (!account) return false;
  const fill = (field, value) => {
    field.focus();
    field.value = value;
    for (const event of ["input", "change"]) field.dispatchEvent(new Event(event, {bubbles: true}));
  };
  fill(account, ACCOUNT);
  fill(secret, PASSWORD);
  return true;
})()"""


def password_of(sites: SiteAddresses, name: str, account: str) -> str:
    """Return the password of an account from its variable; Stopped where that is not set."""
    site = sites.sites[name]
    variable = site.password_variable or f"{name.upper()}_PASSWORD"
    password = site.own_password or os.environ.get(variable)
    if not password:
        raise Stopped(f"site '{name}'", f"account '{account}' has no password", f"set {variable}")
    return password


async def log_in(session: BrowserSession, sites: SiteAddresses, name: str, account: str) -> None:
    """Log in to a site in the active tab; runs in the browser's thread.

    Raises:
        Stopped: The password is not told.
        Unscored: The site does not answer, or does not let the account in.
    """
    password = password_of(sites, name, account)
    what = f"login to site '{name}' as '{account}'"
    again = "check that the site runs and the password is right, then run the same command again"
    path = sites.sites[name].login_path or PATHS.get(name, "/login")
    try:
        if session.options.for_agents:
            await _keep_account(session, sites.sites[name].address + path, account, password)
        status = await session.open(sites.sites[name].address + path)
        await settle(session)
        filled = await session.evaluate(
            _FIND.replace("ACCOUNT", json.dumps(account)).replace("PASSWORD", json.dumps(password))
        )
        if filled:
            await session.within(ANSWER_S, session.page.keyboard.press("Enter"))
            await settle(session)
        still = await session.evaluate("""!!document.querySelector('input[type="password"]')""")
    except PageFault as fault:
        raise Unscored(what, f"failed: {fault}", again) from fault
    if status is None or status >= 400:
        raise Unscored(what, f"failed: the site answers with status {status}", again)
    if filled and still:
        raise Unscored(what, "was refused", again)


async def _keep_account(session: BrowserSession, url: str, account: str, password: str) -> None:
    """Let the browser know the account of a site that asks by HTTP itself, in a tab that is closed again.

    A context of our own gets it with the context; the default one keeps what it was once opened with.
    """
    parts = urlsplit(url)
    login = f"{quote(account, safe='')}:{quote(password, safe='')}"
    await session.new_tab()
    with suppress(PageFault):  # which would tell the address; whoever opens the page next tells what is wrong
        await session.open(parts._replace(netloc=f"{login}@{parts.netloc}").geturl())
    await session.close_tab()
