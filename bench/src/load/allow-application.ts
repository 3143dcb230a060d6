import { request, type Dispatcher } from "undici";

/**
 * A browser's way through an authorize request: follows redirects, answers the question for consent with yes. Gives all
 * its cookies when it arrives at the application, and with them the next request is answered without a question.
 */
export async function allowApplication(
  port: number,
  { target, cookie, accountId }: { target: string; cookie: string; accountId: string },
): Promise<string> {
  const cookies = new Map([pairOf(cookie)]);
  let path = target;
  let body: string | null = null;
  for (let turn = 0; turn < 8; turn += 1) {
    const answer: Dispatcher.ResponseData = await request(`http://127.0.0.1:${port}${path}`, {
      method: body === null ? "GET" : "POST",
      body,
      headers: {
        cookie: headerOf(cookies),
        ...(body !== null && { "content-type": "application/x-www-form-urlencoded" }),
      },
    });
    [answer.headers["set-cookie"] ?? []].flat().forEach((each) => cookies.set(...pairOf(each)));
    const html = await answer.body.text();
    const location = answer.headers["location"];
    if (typeof location === "string" && new URL(location, "https://here.example").searchParams.has("code")) {
      return headerOf(cookies);
    }
    body = typeof location === "string" ? null : consentForm(html, accountId);
    path = typeof location === "string" ? pathOf(location) : (/action="([^"]+)"/.exec(html)?.[1] ?? "");
  }
  throw new Error(`The browser did not arrive at the application: ${path}.`);
}

function consentForm(html: string, accountId: string): string {
  const form = new URLSearchParams({ account: accountId, decision: "allow" });
  for (const [, name = "", value = ""] of html.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)) {
    form.set(name, value);
  }
  return form.toString();
}

function pathOf(location: string): string {
  const { pathname, search } = new URL(location, "https://here.example");
  return `${pathname}${search}`;
}

function pairOf(cookie: string): [name: string, value: string] {
  const [pair = ""] = cookie.split(";", 1);
  return [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
}

function headerOf(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}
