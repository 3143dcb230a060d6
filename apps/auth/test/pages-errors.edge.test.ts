import type { OauthApplication } from "@gateway/platform/accounts";
import { useAll } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import type { Browser, BrowserPage } from "./support/browser.ts";
import { createOauthClient } from "./support/oauth-client.ts";
import { goodPassword } from "./support/pages.ts";
import { usePages } from "./support/use-pages.ts";

const own = { "Sign in": "/sign-in", "Your account": "/account" };

/** The buttons of a page that ended otherwise than it should. */
function waysOn({ html }: BrowserPage): Record<string, string> {
  const [, nav = ""] = /<nav class="buttons"[^>]*>([\s\S]*?)<\/nav>/.exec(html) ?? [];
  const links = nav.matchAll(/<a class="button\s?(?:quiet)?" href="([^"]*)">([^<]*)<\/a>/g);
  return Object.fromEntries([...links].map(([, href = "", label = ""]) => [label, href]));
}

describe("a page that ends otherwise than it should leads on", () => {
  const pages = usePages();
  const registrar = useAll(() => pages.auth.createPerson());
  let browser: Browser;

  beforeAll(async () => {
    browser = pages.openBrowser();
  });

  const register = async (websiteUrl: string | null): Promise<OauthApplication> => {
    const application = await pages.auth.createApplication(registrar.account);
    const { id } = application;
    await pages.auth.platform.accounts.oauthApplications.update({ id, accountId: registrar.account.id, websiteUrl });
    return application;
  };
  const refusedAt = (application: OauthApplication): Promise<BrowserPage> =>
    browser.open(createOauthClient(pages.auth, application).authorizeUrl({ redirect_uri: "https://evil.example/" }));

  test.each(["/no-such-page", "/account/nothing", "/api/v1/nothing", "/%zz", `/interaction/${"A".repeat(43)}`])(
    "%s: to the user's own pages",
    async (path) => {
      const page = await browser.open(path);
      expect(page.status).toBeGreaterThanOrEqual(400);
      expect(waysOn(page)).toEqual(own);
    },
  );

  test.each(["/sign-in?return_to=%c0%af", "/api/v1/authorize?client_id=%ff&state=a", "/password/reset?a=%zz"])(
    "%s: a query that is not percent-encoded UTF-8 is refused, as a path is",
    async (path) => {
      const page = await browser.open(path);
      expect(page.status).toBe(400);
      expect(page.html).toContain("The address holds a percent-encoding that is not UTF-8.");
    },
  );

  test("both buttons lead somewhere, signed in or not", async () => {
    const known = pages.openBrowser();
    await pages.signIn(known, registrar);
    for (const visitor of [pages.openBrowser(), known]) {
      for (const href of Object.values(own)) {
        expect((await visitor.open(href)).status).toBe(200);
      }
    }
  });

  test("a mistake of an application: back to the website that it is registered with", async () => {
    const websiteUrl = "https://www.example.com/about";
    const page = await refusedAt(await register(websiteUrl));
    expect(page.status).toBe(400);
    expect(waysOn(page)).toEqual({ "Back to “Test application”": websiteUrl, ...own });
    expect(page.html).not.toContain("evil.example");
  });

  test("a mistake of one without a website, or of one that is none of ours: nowhere but here", async () => {
    const application = await register(null);
    expect(waysOn(await refusedAt(application))).toEqual(own);
    const unknown = { ...application, id: application.id.replace(/.$/, (last) => (last === "0" ? "1" : "0")) };
    expect(waysOn(await refusedAt(unknown))).toEqual(own);
  });

  test("a question of an application that somebody else left open: back to the application", async () => {
    const person = await pages.auth.createPerson();
    const application = await register("https://www.example.com/");
    const visitor = pages.openBrowser();
    const values = { email: person.user.email, password: person.password };
    const consent = await visitor.fill(createOauthClient(pages.auth, application).authorizeUrl(), values);
    await visitor.fill("/sign-out");
    expect(waysOn(await visitor.open(consent.url))).toMatchObject({
      "Back to “Test application”": "https://www.example.com/",
    });
  });

  test.each([
    ["/sign-up/finish", { "Sign in": "/sign-in", "Create an account": "/sign-up" }],
    ["/password/reset", { "Ask for another link": "/password/forgotten", "Sign in": "/sign-in" }],
    ["/invitations/accept", own],
  ])("a mailed link to %s that is over: to where the next one is asked for", async (path, ways) => {
    expect(waysOn(await browser.open(`${path}?token=${"A".repeat(43)}`))).toEqual(ways);
  });

  test("a form that is out of date", async () => {
    const form = (await pages.openBrowser().open("/sign-in")).forms[0];
    const page = await browser.submit(form, { email: "a@example.com", password: goodPassword });
    expect([page.status, waysOn(page)]).toEqual([403, own]);
  });
});
