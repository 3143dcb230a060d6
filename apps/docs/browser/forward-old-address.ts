/**
 * A reference was one page once, and its addresses are kept by others: `#/wallets/createwallet`, `#/section/money`.
 * They lead to where that is now.
 */
export function forwardOldAddress(): void {
  const [, tag = "", name = ""] = /^#\/([\w-]+)(?:\/([\w-]+))?$/.exec(location.hash) ?? [];
  if (tag === "section") {
    location.replace(`#${name}`);
    return;
  }
  const link = document.querySelector<HTMLAnchorElement>(`article a[href$="/tags/${tag}.html"]`);
  if (tag !== "" && link !== null) {
    location.replace(name === "" ? link.href : `${link.href}#${name}`);
  }
}
