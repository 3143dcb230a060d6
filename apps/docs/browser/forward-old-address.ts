/** Forwards the addresses of the former one-page reference: `#/wallets/createwallet`, `#/section/money`. */
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
