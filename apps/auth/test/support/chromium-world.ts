import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { startPages, type TestPages } from "./pages.ts";
import { startSpaServer, type SpaServer, type SpaUser } from "./spa-server.ts";
import type { Person } from "./test-auth.ts";

/** A provider, an application on another origin, and browsers at both. */
export type ChromiumWorld = {
  pages: TestPages;
  spa: SpaServer;
  /** The person who registered the application. */
  registrar: Person;
  /** Opens a page in a new browser context, at a client address of its own. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** The browsers' complaints since the last call, including refusals by the content security policy. */
  takeComplaints(): string[];
  /** Closes the pages. Fails when a browser complained or sent a request to a foreign host. */
  closePages(): Promise<void>;
  stop(): Promise<void>;
};

const applicationName = "Ledger viewer";

export async function startChromiumWorld(chromium: Browser | null): Promise<ChromiumWorld> {
  const [pages, spa] = await Promise.all([startPages(), startSpaServer()]);
  const registrar = await pages.auth.createPerson();
  const options = { name: applicationName, redirectUris: [spa.redirectUri] };
  const { id } = await pages.auth.createApplication(registrar.account, options);
  spa.configure({ authority: pages.auth.origin, clientId: id, scope: "openid email profile write" });
  const complaints: string[] = [];
  const origins = new Set<string>();
  let addresses = 0;
  return {
    pages,
    spa,
    registrar,
    openPage: async (contextOptions = {}) => {
      if (!chromium) {
        throw new Error("There is no Chromium.");
      }
      addresses += 1;
      const address = `198.18.7.${addresses}`;
      const { origin } = pages.auth;
      const size = { width: 390, height: 844 };
      const context = await chromium.newContext({ viewport: size, baseURL: origin, ...contextOptions });
      // Ends a test that hangs. The limit is long because a busy machine is slow.
      context.setDefaultTimeout(60_000);
      // Only the provider gets the header, because requests to other origins would need permission for it.
      await context.route(`${origin}/**`, (route) =>
        route.continue({ headers: { ...route.request().headers(), "x-forwarded-for": address } }),
      );
      const page = await context.newPage();
      page.on("console", (message) => {
        if (/content security policy|refused to/i.test(message.text())) {
          complaints.push(message.text());
        }
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("request", (request) => origins.add(new URL(request.url()).origin));
      return page;
    },
    takeComplaints: () => complaints.splice(0),
    closePages: async () => {
      await Promise.all((chromium?.contexts() ?? []).map((context) => context.close()));
      expect(complaints.splice(0)).toEqual([]);
      expect([...origins].filter((origin) => ![pages.auth.origin, spa.origin].includes(origin))).toEqual([]);
    },
    stop: async () => {
      await spa.stop();
      await pages.stop();
      await chromium?.close();
    },
  };
}

/** Begins at the application, and ends at the provider's first page or at the callback. */
export async function signInAtSpa(page: Page, spa: SpaServer): Promise<void> {
  await page.goto(spa.origin);
  // The page does not await the call, because it navigates away meanwhile.
  await page.evaluate("void setTimeout(window.signIn)");
  await page.waitForURL((url) => url.origin !== spa.origin || url.pathname === "/callback");
}

/** The application's data about its user. */
export async function userOfSpa(page: Page): Promise<SpaUser> {
  await page.waitForFunction(`document.querySelector("#user")?.textContent`);
  return JSON.parse((await page.textContent("#user")) ?? "{}") as SpaUser;
}

export async function signInAlone(page: Page, person: Person): Promise<void> {
  await page.goto("/sign-in");
  await page.fill("#email", person.user.email);
  await page.fill("#password", person.password);
  await page.press("#password", "Enter");
  await page.waitForURL("**/account");
}

export async function signOut(page: Page): Promise<void> {
  await page.goto("/sign-out");
  await page.click("button[type=submit]");
  await page.waitForURL("**/sign-in**");
}
