import { beforeAll, describe, expect, test } from "vitest";
import { readKey } from "./support/authenticator-app.ts";
import type { Browser, BrowserPage } from "./support/browser.ts";
import type { HtmlForm } from "./support/html-form.ts";
import { createOauthClient, type OauthClient } from "./support/oauth-client.ts";
import { formAt, goodPassword } from "./support/pages.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

const times = 4;

/** A button pressed again before the response arrives, a double click, or a request that a browser repeats. */
describe("a form that is sent several times at once", () => {
  const pages = usePages();
  let client: OauthClient;
  let person: Person;
  let browser: Browser;

  beforeAll(async () => {
    const registrar = await pages.auth.createPerson();
    client = createOauthClient(pages.auth, await pages.auth.createApplication(registrar.account));
  });

  type Sent = { form: HtmlForm | undefined; values?: Record<string, string>; label?: string };
  const somebody = async (): Promise<void> => {
    person = await pages.auth.createPerson();
    browser = pages.openBrowser();
  };
  const signedIn = async (path: string, action = path): Promise<HtmlForm | undefined> => {
    await pages.signIn(browser, person);
    return formAt(await browser.open(path), action);
  };
  const credentials = () => ({ email: person.user.email, password: person.password });
  const consentPage = async (): Promise<BrowserPage> => browser.fill(client.authorizeUrl(), credentials());

  const forms: Readonly<Record<string, () => Promise<Sent>>> = {
    "the sign-in": async () => ({ form: (await browser.open("/sign-in")).forms[0], values: credentials() }),
    "the sign-in of an application": async () => ({
      form: (await browser.open(client.authorizeUrl())).forms[0],
      values: credentials(),
    }),
    "a consent": async () => ({ form: (await consentPage()).forms[0], label: "Allow" }),
    "a consent that is refused": async () => ({ form: (await consentPage()).forms[0], label: "Deny" }),
    "the end of a sign-up": async () => {
      const email = `new-${crypto.randomUUID()}@example.com`;
      await browser.fill("/sign-up", { email });
      const values = { name: "Somebody", "new-password": goodPassword };
      return { form: (await browser.open(await pages.linkTo(email))).forms[0], values };
    },
    "a name": async () => ({ form: await signedIn("/account/name"), values: { name: "Somebody Else" } }),
    "a password": async () => ({
      form: await signedIn("/account/password"),
      values: { password: person.password, "new-password": goodPassword },
    }),
    "an authenticator app": async () => {
      await pages.signIn(browser, person);
      const page = await browser.open("/account/authenticator");
      return {
        form: formAt(page, "/account/authenticator"),
        values: { code: readKey(pages, page.html).code() },
      };
    },
    "a first key": async () => {
      const path = `/account/first-key/${person.account.id}`;
      return { form: await signedIn(path), values: { name: "First" } };
    },
    "a reset of the password": async () => {
      await browser.fill("/password/forgotten", { email: person.user.email });
      const page = await browser.open(await pages.linkTo(person.user.email));
      return { form: page.forms[0], values: { "new-password": goodPassword } };
    },
    "another address": async () => ({
      form: await signedIn("/account/email"),
      values: { email: `other-${crypto.randomUUID()}@example.com`, password: person.password },
    }),
    "the sign-out": async () => ({ form: await signedIn("/sign-out") }),
  };

  test.each(Object.keys(forms))("%s is no failure of ours", async (name) => {
    await somebody();
    const { form, values, label } = (await forms[name]?.()) ?? { form: undefined };
    const answers = await Promise.all(Array.from({ length: times }, () => browser.submit(form, values, label)));
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    expect((await pages.auth.platform.accounts.grants.listOfUser(person.user.id)).length).toBeLessThanOrEqual(1);
  });
});
