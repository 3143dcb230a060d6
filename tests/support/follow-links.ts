import type { BrowserPage } from "../../apps/auth/test/support/browser.ts";

export type FollowedLink = { on: string; href: string; status: number };

export type LinkFollower = {
  /** Opens one of our pages, as a person sees it. The status of an external page is 0. */
  open(url: string): Promise<Pick<BrowserPage, "status" | "html">>;
  /** The origin whose pages are searched for links. Every other link is only opened. */
  origin: string;
  /** Links with an effect, such as ending the session. */
  skip: RegExp;
};

/**
 * Opens each link of the first pages, of the pages of the origin that these lead to, and so on. Each link is opened
 * once.
 */
export async function followLinks(first: readonly string[], follower: LinkFollower): Promise<FollowedLink[]> {
  const { open, origin, skip } = follower;
  const followed: FollowedLink[] = [];
  const known = new Set<string>();
  const waiting = first.map((href) => ({ on: "the first", href }));
  for (let link = waiting.shift(); link; link = waiting.shift()) {
    const { on, href } = link;
    if (known.has(href) || skip.test(href)) {
      continue;
    }
    known.add(href);
    const isOurs = new URL(href).origin === origin;
    const { status, html } = isOurs ? await open(href) : { status: await statusOf(href), html: "" };
    followed.push({ on, href, status });
    waiting.push(...linksOf(html, href).map((next) => ({ on: href, href: next })));
  }
  return followed;
}

async function statusOf(href: string): Promise<number> {
  const answer = await fetch(href);
  await answer.arrayBuffer();
  return answer.status;
}

function linksOf(html: string, on: string): string[] {
  return Array.from(html.matchAll(/<a\b[^>]*\bhref="([^"#]+)/g), ([, href = ""]) => href.replaceAll("&amp;", "&"))
    .filter((href) => !/^(?:mailto|otpauth|data):/.test(href))
    .map((href) => new URL(href, on).href);
}
