import { words } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { createOauthClient, type OauthClient } from "./support/oauth-client.ts";
import { useAuth } from "./support/use-auth.ts";

const registered = "https://app.example.com/callback";
const registeredLoopback = "http://127.0.0.1:3000/callback";
const registeredWithQuery = "https://app.example.com/back?tenant=one";

/** URIs that are close to a registered one. None of them is registered. */
const variants: string[] = [
  ...words`
    https://app.example.com/callback/ https://app.example.com//callback https://app.example.com/callback?
    https://app.example.com/callback?x=1 https://app.example.com/callback# https://app.example.com/callback#fragment
    https://app.example.com/Callback https://app.example.com/CALLBACK https://APP.example.com/callback
    HTTPS://app.example.com/callback http://app.example.com/callback https://app.example.com:443/callback
    https://app.example.com:8443/callback https://app.example.com./callback https://user@app.example.com/callback
    https://user:password@app.example.com/callback https://app.example.com@evil.example/callback
    https://evil.example/callback https://evil.example/https://app.example.com/callback
    https://app.example.com.evil.example/callback https://sub.app.example.com/callback https://example.com/callback
    https://app.example.com/other/../callback https://app.example.com/callback/../callback
    https://app.example.com/./callback https://app.example.com/callback/.. https://app.example.com/%63allback
    https://app.example.com/callback%2f https://app.example.com/callback%00
  `,
  "https://app.example.com\\callback",
  "https:/app.example.com/callback",
  "//app.example.com/callback",
  "/callback",
  "callback",
  " https://app.example.com/callback",
  "https://app.example.com/callback ",
  "https://app.example.com/callback\n",
  ...words`
    https://app.example.com/callback;x https://app.example.com https://app.example.com/ https://app.example.com/back
    https://app.example.com/back?tenant=two https://app.example.com/back?tenant=one&x=1
    https://app.example.com/back?TENANT=one http://127.0.0.1:3001/callback http://127.0.0.1/callback
    http://localhost:3000/callback http://[::1]:3000/callback http://127.1:3000/callback
    https://127.0.0.1:3000/callback javascript:alert(1)//app.example.com/callback
    data:text/html,https://app.example.com/callback myapp://callback
  `,
  `${registered} ${registeredLoopback}`,
  `${registered},${registeredLoopback}`,
  "",
];

describe("redirect URIs", () => {
  const auth = useAuth();
  let client: OauthClient;

  beforeAll(async () => {
    const { account } = await auth.createPerson();
    client = createOauthClient(
      auth,
      await auth.createApplication(account, {
        redirectUris: [registered, registeredLoopback, registeredWithQuery],
      }),
    );
  });

  const open = async (url: string): Promise<Response> =>
    fetch(url.replace(auth.origin, `http://127.0.0.1:${auth.ports[0]}`), {
      redirect: "manual",
      headers: { Accept: "text/html" },
    });
  /** One of our pages, without a redirect of any kind. */
  const expectErrorPage = async (response: Response): Promise<void> => {
    expect(response.status).toBe(400);
    expect(response.headers.get("Location")).toBeNull();
    expect(response.headers.get("Refresh")).toBeNull();
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const html = await response.text();
    expect(html).not.toMatch(/http-equiv="?refresh|<form|<script|window\.|location\.|evil\.example|app\.example\.com/i);
  };

  test("there are at least 30 variants, and none is registered", () => {
    expect(variants.length).toBeGreaterThanOrEqual(30);
    expect(new Set(variants).size).toBe(variants.length);
    expect(variants.filter((uri) => client.application.redirectUris.includes(uri))).toEqual([]);
  });

  test.each([registered, registeredLoopback, registeredWithQuery])("%s is registered, and leads on", async (uri) => {
    const response = await open(client.authorizeUrl({ redirect_uri: uri }));
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toMatch(new RegExp(`^${auth.origin}/interaction/|^/interaction/`));
  });

  test.each(variants)("%j ends at an error page", async (uri) => {
    await expectErrorPage(await open(client.authorizeUrl({ redirect_uri: uri })));
  });

  test.each(variants)("%j ends at an error page also when something else is wrong", async (uri) => {
    await expectErrorPage(
      await open(client.authorizeUrl({ redirect_uri: uri, response_type: "token", prompt: "none" })),
    );
  });

  test("without redirect_uri it is an error page, for none is taken for granted", async () => {
    await expectErrorPage(await open(client.authorizeUrl({ redirect_uri: undefined })));
  });

  test("with two of them it is an error page", async () => {
    await expectErrorPage(
      await open(`${client.authorizeUrl()}&redirect_uri=${encodeURIComponent("https://evil.example/callback")}`),
    );
  });

  test.each(["app_01kern7ck2exsrtpkeg8qrsn0h", "nobody", "", "\u0000"])(
    "an application that is not there, %j, gets an error page",
    async (clientId) => {
      await expectErrorPage(await open(client.authorizeUrl({ client_id: clientId })));
    },
  );
});
