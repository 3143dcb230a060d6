import { createTestFolder } from "@gateway/testkit";
import express from "express";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, IncomingMessage, ServerResponse, type Server } from "node:http";
import { Socket, type AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { beginVisit } from "../src/begin-visit.ts";
import { createBuiltPage } from "../src/serve/built-page.ts";
import { requireSecurePlace } from "../src/serve/require-secure-place.ts";
import { servePage } from "../src/serve/serve-page.ts";

let folder: string;
let server: Server;
let url: string;
let failure: string | null = null;

beforeAll(async () => {
  folder = join(await createTestFolder(), "dist");
  const app = express();
  app.use(beginVisit({ observer: { requestDone: () => {} } }));
  app.use(servePage({ page: createBuiltPage(folder), failure: () => failure }));
  app.use((_req, res) => void res.status(404).end());
  server = createServer(app);
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A listening TCP server has an address of this kind.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function build(): Promise<void> {
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(folder, "index.html"), '<head><style nonce="__CSP_NONCE__"></style></head><p>The page</p>');
  await writeFile(join(folder, "assets/main-abc.js"), "export {};");
  await writeFile(join(folder, "assets/main-abc.js.br"), brotliCompressSync("export {};"));
  await writeFile(join(folder, "icon.svg"), "<svg/>");
  await writeFile(join(folder, ".inputs"), "secret");
  await writeFile(join(folder, "../outside.js"), "outside");
}

describe("over http", () => {
  const origin = "http://127.0.0.1:8083";
  const authOrigin = "http://localhost:8081";

  /** The response under that name. Null when the request is passed on. */
  const ask = (host: string | undefined, addresses = { origin, authOrigin }): string | null => {
    const req = Object.assign(new IncomingMessage(new Socket()), { headers: { ...(host !== undefined && { host }) } });
    const res = new ServerResponse(req);
    let document: string | null = null;
    const answering = Object.assign(res, {
      set: (headers: Record<string, string>) => (
        Object.entries(headers).forEach((pair) => res.setHeader(...pair)),
        res
      ),
      status: (status: number) => Object.assign(res, { statusCode: status }),
      end: (text: string) => ((document = `${res.statusCode} ${text}`), res),
    });
    requireSecurePlace(addresses)(req as never, answering as never, () => {});
    return document;
  };

  test.each(["127.0.0.1:8083", "localhost", "LOCALHOST:8083", "app.localhost", "[::1]:8083", "127.9.9.9", undefined])(
    "%s is an address of the machine: the console goes on",
    (host) => expect(ask(host)).toBeNull(),
  );

  test.each(["box.lan:8083", "192.168.1.7", "[fe80::1]:8083", "127.0.0.1.example.com", "notlocalhost"])(
    "%s is none: it says what it needs, with the command that leads here",
    (host) => {
      expect(ask(host)).toMatch(/^403 .*The console needs https here/s);
      expect(ask(host)).toContain(
        `ssh -L 8083:127.0.0.1:8083 -L 8081:127.0.0.1:8081 ${new URL(`http://${host}`).hostname}`,
      );
    },
  );

  test("behind a proxy that speaks https every name goes on", () => {
    expect(ask("console.example.com", { origin: "https://console.example.com", authOrigin })).toBeNull();
  });

  test("what is no host is no markup", () => {
    expect([ask("<script>"), ask("a b"), ask('"><x')]).toEqual([null, null, null]);
  });
});

describe("before there is a page", () => {
  test("a plain one says that it is being built, and comes again", async () => {
    const answer = await fetch(`${url}/webhooks`);
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "2"]);
    expect(await answer.text()).toMatch(/http-equiv="refresh" content="2">.*The console is being built/);
  });

  test("or why it could not be, as text", async () => {
    failure = "Error: <script>alert(1)</script>";
    const html = await (await fetch(`${url}/`)).text();
    expect(html).toContain("Error: &#60;script&#62;");
    expect(html).not.toMatch(/<script|refresh/);
    failure = null;
  });
});

describe("the page", () => {
  beforeAll(build);

  test.each(["/", "/webhooks", "/logs/req_1", "/try/createPayment", "//x", "/%2e%2e/etc"])(
    "is served at %s",
    async (path) => {
      const answer = await fetch(`${url}${path}`);
      expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
      expect(await answer.text()).toContain("The page");
    },
  );

  test("names the files of the program and of its screen, each once, and none that the document has by itself", async () => {
    const manifest = {
      "index.html": { file: "assets/first.js", imports: ["_shared"] },
      _shared: { file: "assets/shared.js" },
      _parts: { file: "assets/parts.js", imports: ["_shared"] },
      "browser/main.tsx": { file: "assets/main.js", imports: ["index.html", "_parts"] },
      "browser/screens/overview/screen.tsx": { file: "assets/overview.js", imports: ["_parts"] },
      "browser/screens/webhooks/screen.tsx": { file: "assets/webhooks.js", imports: ["browser/main.tsx"] },
    };
    await mkdir(join(folder, ".vite"), { recursive: true });
    await writeFile(join(folder, ".vite/manifest.json"), JSON.stringify(manifest));
    const preloadsAt = async (path: string): Promise<(string | undefined)[]> =>
      [...(await (await fetch(url + path)).text()).matchAll(/modulepreload" crossorigin href="\/assets\/(\w+)/g)].map(
        ([, name]) => name,
      );
    expect(await preloadsAt("/")).toEqual(["main", "parts", "overview"]);
    expect(await preloadsAt("/webhooks?open=x")).toEqual(["main", "parts", "webhooks"]);
    expect(await preloadsAt("/none")).toEqual(["main", "parts"]);
  });

  test("under a policy that lets nothing in but itself, with a nonce of each answer's own", async () => {
    const nonces = new Set<string>();
    for (let count = 0; count < 2; count += 1) {
      const answer = await fetch(`${url}/`);
      const policy = answer.headers.get("Content-Security-Policy") ?? "";
      const [, nonce = ""] = /style-src 'self' 'nonce-([\w-]{24})'/.exec(policy) ?? [];
      expect(await answer.text()).toContain(`nonce="${nonce}"`);
      nonces.add(nonce);
      expect(policy.split("; ").toSorted()).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "font-src 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "manifest-src 'self'",
        "require-trusted-types-for 'script'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "trusted-types 'none'",
      ]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      });
    }
    expect(nonces.size).toBe(2);
  });

  test("has assets that are kept for ever, compressed for who takes it; others are asked for again", async () => {
    const asset = await fetch(`${url}/assets/main-abc.js`, { headers: { "Accept-Encoding": "gzip, br" } });
    expect(Object.fromEntries(asset.headers)).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "br",
      "content-type": "text/javascript; charset=utf-8",
      vary: "Accept-Encoding",
    });
    expect(await asset.text()).toBe("export {};");
    const plain = await fetch(`${url}/assets/main-abc.js`, { headers: { "Accept-Encoding": "br;q=0" } });
    expect([plain.headers.get("Content-Encoding"), await plain.text()]).toEqual([null, "export {};"]);
    const icon = await fetch(`${url}/icon.svg`);
    expect([icon.status, icon.headers.get("Cache-Control")]).toEqual([200, "no-cache"]);
  });

  test.each([
    "/.inputs",
    "/assets/none.js",
    "/assets/",
    "/assets/%2e%2e/%2e%2e/outside.js",
    "/index.html",
    "/a/../.inputs",
  ])("has nothing at %s", async (path) => {
    expect((await fetch(`${url}${path}`)).status).toBe(404);
  });

  test("takes no method but GET and HEAD", async () => {
    expect((await fetch(`${url}/webhooks`, { method: "POST" })).status).toBe(404);
    expect((await fetch(`${url}/webhooks`, { method: "HEAD" })).status).toBe(200);
  });
});
