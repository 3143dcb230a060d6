import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOauthClient, type OauthClient } from "./support/oauth-client.ts";
import { startTestAuth, type Person, type TestAuth } from "./support/test-auth.ts";

describe("cookies under https", () => {
  let auth: TestAuth;
  let person: Person;
  let client: OauthClient;

  beforeAll(async () => {
    // TLS ends at a proxy in front, which is left out here.
    auth = await startTestAuth({ env: { AUTH_URL: "https://auth.example.com" } });
    person = await auth.createPerson();
    client = createOauthClient(auth, await auth.createApplication(person.account));
  });
  afterAll(() => auth.stop());

  test("every one of them is bound to the host, secure, and out of reach of scripts and other sites; HSTS is said", async () => {
    const browser = await auth.openBrowser();
    const question = await browser.fill(client.authorizeUrl(), { email: person.user.email, password: person.password });
    expect(question.headers.get("Strict-Transport-Security")).toBe("max-age=31536000; includeSubDomains");
    const { url } = await browser.submit(question.forms[0], {}, "Allow");
    expect(new URL(url).searchParams.get("code")).toEqual(expect.any(String));

    const names = new Set(browser.setCookies.map((cookie) => cookie.split("=", 1)[0]?.replace(/-[\w-]{43}$/, "")));
    expect(names).toEqual(
      new Set(["browser", "device", "session", "provider", "interaction"].map((name) => `__Host-${name}`)),
    );
    for (const cookie of browser.setCookies) {
      const attributes = cookie.toLowerCase().split("; ").slice(1);
      expect(attributes).toEqual(expect.arrayContaining(["path=/", "httponly", "secure", "samesite=lax"]));
      expect(attributes.filter((attribute) => attribute.startsWith("domain"))).toEqual([]);
    }
  });
});
