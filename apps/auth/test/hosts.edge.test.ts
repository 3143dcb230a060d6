import { words, useAll } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { createOauthClient } from "./support/oauth-client.ts";
import { sendRaw } from "./support/raw-http.ts";
import { useAuth } from "./support/use-auth.ts";

describe("what a request says of hosts", () => {
  const auth = useAuth();
  const person = useAll(() => auth.createPerson());
  const client = useAll(async () => createOauthClient(auth, await auth.createApplication(person.account)));
  let port: number;

  beforeAll(async () => {
    port = auth.ports[0] ?? 0;
  });

  const lies: [what: string, headers: string[]][] = [
    ["no Host", []],
    ["a foreign Host", ["Host: evil.example"]],
    ["a Host with userinfo", ["Host: localhost@evil.example"]],
    ["a Host that is no host", ["Host: <script>"]],
    ["X-Forwarded-Host", ["Host: localhost", "X-Forwarded-Host: evil.example"]],
    ["X-Forwarded-Proto", ["Host: localhost", "X-Forwarded-Proto: https"]],
    ["X-Forwarded-Port and -Prefix", ["Host: localhost", "X-Forwarded-Port: 4444", "X-Forwarded-Prefix: /evil"]],
    ["Forwarded", ["Host: localhost", "Forwarded: host=evil.example;proto=https"]],
    ["X-Original-URL", ["Host: localhost", "X-Original-URL: http://evil.example/", "X-Rewrite-URL: /evil"]],
  ];

  describe.each(lies)("%s", (_what, headers) => {
    const get = async (target: string): Promise<string> =>
      sendRaw(port, [`GET ${target} HTTP/1.1`, ...headers, "Accept: text/html, application/json", "Connection: close"]);

    test("has no effect on the issuer and the addresses of discovery", async () => {
      for (const path of ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]) {
        const answer = await get(path);
        const document = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)) as Record<string, unknown>;
        expect(document["issuer"]).toBe(auth.origin);
        const addresses = Object.entries(document).filter(([name]) => /_endpoint$|_uri$/.test(name));
        expect(addresses.length).toBeGreaterThan(5);
        addresses.forEach(([, address]) => expect(String(address).startsWith(`${auth.origin}/`)).toBe(true));
      }
    });

    test("has no effect on redirects and cookies", async () => {
      const { pathname, search } = new URL(client.authorizeUrl());
      const answer = await get(`${pathname}${search}`);
      expect(answer).toMatch(/^HTTP\/1\.1 303 /);
      expect(answer).not.toMatch(/evil|other\.example|4444|domain=|; secure/i);
      const [, location = ""] = /^location: (.*)\r$/im.exec(answer) ?? [];
      expect(new URL(location, auth.origin).origin).toBe(auth.origin);
    });
  });

  test.each([
    ["Host: evil.example", "Host: other.example"],
    ["Host: localhost", "host: localhost"],
  ])("two Hosts are a 400 (RFC 9112, 3.2): %s, %s", async (...headers) => {
    const answer = await sendRaw(port, ["GET /sign-in HTTP/1.1", ...headers, "Connection: close"]);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toContain("example");
  });

  test.each([
    "http://evil.example/.well-known/openid-configuration",
    "//evil.example/.well-known/openid-configuration",
    "*",
    "evil.example:443",
  ])("the request target %s reaches nothing", async (target) => {
    const answer = await sendRaw(port, [`GET ${target} HTTP/1.1`, "Host: localhost", "Connection: close"]);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toContain("evil");
  });

  test("X-Forwarded-For of a client that is no trusted proxy is not its address", async () => {
    const browser = await auth.openBrowser();
    const [form] = (await browser.open("/sign-in")).forms;
    const body = new URLSearchParams(form?.values);
    body.set("email", person.user.email);
    body.set("password", person.password);
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { Cookie, "X-Forwarded-For": "203.0.113.9" };
    await fetch(`http://127.0.0.1:${port}/sign-in`, { method: "POST", redirect: "manual", body, headers });
    const sessions = await auth.platform.auth.sessions.listOfUser(person.user.id);
    expect(sessions.map(({ address }) => address)).toEqual(["127.0.0.1"]);
  });

  describe("Origin", () => {
    const own = "https://app.example.com";
    const foreign = [
      ...words`
        https://evil.example http://app.example.com https://app.example.com:444 https://APP.example.com
        https://app.example.com.evil.example null https://app.example.com/ *
      `,
      "\u00e9",
    ];
    const paths = words`
      /.well-known/openid-configuration /.well-known/oauth-authorization-server /api/v1/jwks /api/v1/token
      /api/v1/revocation /api/v1/userinfo /api/v1/authorize /api/v1/end-session /sign-in /account /assets/style.css
      /nowhere
    `;

    test.each(foreign)("%s is allowed nowhere", async (origin) => {
      for (const path of paths) {
        for (const method of ["GET", "POST", "OPTIONS"]) {
          const answer = await sendRaw(port, [
            `${method} ${path} HTTP/1.1`,
            "Host: localhost",
            `Origin: ${origin}`,
            ...(method === "OPTIONS"
              ? ["Access-Control-Request-Method: POST", "Access-Control-Request-Headers: x"]
              : []),
            "Content-Length: 0",
            "Connection: close",
          ]);
          expect(answer).toMatch(/^HTTP\/1\.1 \d/);
          expect(answer).not.toMatch(/access-control-allow/i);
        }
      }
    });

    test("of an application is allowed where the protocol is, and not at pages", async () => {
      const allowed = [];
      for (const path of paths) {
        const answer = await sendRaw(port, [
          `GET ${path} HTTP/1.1`,
          "Host: localhost",
          `Origin: ${own}`,
          "Connection: close",
        ]);
        expect(answer).not.toMatch(/access-control-allow-credentials/i);
        if (answer.includes(`Access-Control-Allow-Origin: ${own}\r\n`)) {
          expect(answer).toMatch(/^vary:.*Origin/im);
          allowed.push(path);
        }
      }
      expect(allowed).toEqual(paths.slice(0, 8));
    });

    test("of an application may ask beforehand", async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/token`, {
        method: "OPTIONS",
        headers: {
          Origin: own,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "content-type",
        },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe(own);
      expect(response.headers.get("Access-Control-Allow-Headers")).toContain("Content-Type");
    });

    test("of a deleted application is foreign", async () => {
      const application = await auth.createApplication(person.account, {
        redirectUris: ["https://gone.example.com/callback"],
      });
      const ask = async () =>
        (
          await fetch(`http://127.0.0.1:${port}/api/v1/jwks`, { headers: { Origin: "https://gone.example.com" } })
        ).headers.get("Access-Control-Allow-Origin");
      expect(await ask()).toBe("https://gone.example.com");
      await auth.platform.transaction((services) =>
        services.accounts.oauthApplications.delete({ id: application.id, accountId: person.account.id }),
      );
      expect(await ask()).toBeNull();
    });
  });
});
