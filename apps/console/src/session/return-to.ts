const maxCharacters = 1_500;
const path = /^\/(?![/\\])[!-~]*$/;
/** These paths would lead in a circle. */
const ownRoutes: readonly string[] = ["/sign-in", "/sign-out", "/clear-site-data", "/callback", "/session"];

/** A path of the console, with its query and fragment. Any other text gives the front page. */
export function returnToOf(wanted: string | null, origin: string): string {
  if (wanted === null || wanted.length > maxCharacters || !path.test(wanted) || !URL.canParse(wanted, origin)) {
    return "/";
  }
  const url = new URL(wanted, origin);
  const isOurs = url.origin === origin && !ownRoutes.includes(url.pathname) && !url.pathname.startsWith("/api/");
  // The path as the parser wrote it, without dot segments and other parts that browsers read differently.
  return isOurs && path.test(url.pathname) ? `${url.pathname}${url.search}${url.hash}` : "/";
}
