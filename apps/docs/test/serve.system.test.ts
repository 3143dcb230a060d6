import { createTestFolder, waitFor } from "@gateway/testkit";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { request, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startDocs, type RunningDocs } from "../src/app.ts";
import { startBackgroundBuild } from "../src/serve/background-build.ts";
import { hashSiteInputs } from "../src/site/hash-inputs.ts";

let folder: string;
let docs: RunningDocs;
let lines: string[];

beforeEach(async () => {
  folder = join(await createTestFolder(), "dist");
  lines = [];
});
afterEach(() => docs.stop());

describe("a built site", () => {
  beforeEach(async () => {
    await writeFiles({
      "index.html": "<h1>Home</h1>",
      "404.html": "<h1>Missing</h1>",
      "errors/index.html": "<h1>Errors</h1>",
      "errors/NOT_FOUND.html": "<h1>Not found</h1>",
      "errors/NOT_FOUND.md": "# NOT_FOUND",
      "events/wallet.created.html": "<h1>wallet.created</h1>",
      "assets/site.0123456789.js": "1;",
      "assets/inter.woff2": "font",
      ".inputs": await hashSiteInputs(null),
    });
    await writeFile(join(folder, "../secret.txt"), "secret");
    await start();
  });

  test.each([
    ["/", 200, "text/html; charset=utf-8", "<h1>Home</h1>"],
    ["/errors/NOT_FOUND", 200, "text/html; charset=utf-8", "<h1>Not found</h1>"],
    ["/errors/NOT_FOUND.html?from=body", 200, "text/html; charset=utf-8", "<h1>Not found</h1>"],
    ["/errors/NOT_FOUND.md", 200, "text/markdown; charset=utf-8", "# NOT_FOUND"],
    ["/events/wallet.created", 200, "text/html; charset=utf-8", "<h1>wallet.created</h1>"],
    ["/assets/site.0123456789.js", 200, "text/javascript; charset=utf-8", "1;"],
    ["/assets/inter.woff2", 200, "font/woff2", "font"],
    ["/nothing", 404, "text/html; charset=utf-8", "<h1>Missing</h1>"],
  ])("%s is answered with %i as %s", async (path, status, type, body) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers["content-type"], answer.body]).toEqual([status, type, body]);
    expect(answer.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": "frame-ancestors 'none'",
    });
  });

  test("a folder without its slash leads to it, or its relative links would lead astray", async () => {
    const answer = await ask("/errors");
    expect([answer.status, answer.headers.location]).toEqual([308, "./errors/"]);
    expect((await ask("/errors/")).body).toBe("<h1>Errors</h1>");
  });

  test.each([
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/errors/..%2f..%2fsecret.txt",
    "/..%5csecret.txt",
    "//etc/passwd",
    "/%00",
    "/%ff",
    "/.inputs",
    "/assets//inter.woff2",
    `/${"a".repeat(5000)}`,
    "http://elsewhere.example/",
  ])("%s leads to nothing", async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(answer.body).toBe("<h1>Missing</h1>");
  });

  test("a page is asked for again each time, and not sent again when it is the same; what has a hash is kept for ever", async () => {
    const page = await ask("/");
    expect(page.headers["cache-control"]).toBe("no-cache");
    const again = await ask("/", { headers: { "If-None-Match": `"other", W/${page.headers.etag}` } });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, "", page.headers.etag]);
    const asset = await ask("/assets/site.0123456789.js");
    expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  });

  test.each([
    ["br, gzip", "br", "<h1>Small</h1>"],
    ["gzip;q=1.0, br;q=0", "gzip", "<h1>Smaller</h1>"],
    ["GZIP", "gzip", "<h1>Smaller</h1>"],
    ["identity", undefined, "<h1>Large</h1>"],
    ["", undefined, "<h1>Large</h1>"],
  ])(
    "who takes %j gets what was compressed at the build as %s, under a tag of its own",
    async (accepted, encoding, text) => {
      await writeFiles({
        "large.html": "<h1>Large</h1>",
        "large.html.br": "<h1>Small</h1>",
        "large.html.gz": "<h1>Smaller</h1>",
      });
      const headers = { "Accept-Encoding": accepted };
      const answer = await ask("/large", { headers });
      expect([answer.headers["content-encoding"], answer.body]).toEqual([encoding, text]);
      expect(answer.headers).toMatchObject({ vary: "Accept-Encoding", "content-type": "text/html; charset=utf-8" });
      const again = await ask("/large", { headers: { ...headers, "If-None-Match": answer.headers.etag ?? "" } });
      expect([again.status, again.headers.vary]).toEqual([304, "Accept-Encoding"]);
      const head = await ask("/large", { method: "HEAD", headers });
      expect([head.headers.etag, head.headers["content-length"]]).toEqual([answer.headers.etag, String(text.length)]);
      expect(
        (await ask("/large", { headers: { "If-None-Match": answer.headers.etag ?? "", "Accept-Encoding": "other" } }))
          .status,
      ).toBe(encoding === undefined ? 304 : 200);
    },
  );

  test("HEAD has the headers and no body; other methods are refused", async () => {
    const head = await ask("/", { method: "HEAD" });
    expect([head.status, head.headers["content-length"], head.body]).toEqual([200, "13", ""]);
    const post = await ask("/", { method: "POST" });
    expect([post.status, post.headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  test("what is fresh is not built again", async () => {
    await docs.built;
    expect(await readFile(join(folder, "index.html"), "utf8")).toBe("<h1>Home</h1>");
    expect(lines).toEqual([]);
  });
});

describe("a site that is missing or stale", () => {
  test("is built meanwhile: until then a page says so and comes again by itself", async () => {
    await start();
    const before = await ask("/guides/first-call");
    expect([before.status, before.headers["retry-after"]]).toEqual([503, "2"]);
    expect(before.body).toContain("The documentation is being built");
    expect(before.body).toContain('http-equiv="refresh"');
    await docs.built;
    expect(lines).toEqual([]);
    const after = await ask("/guides/first-call");
    expect(after.status).toBe(200);
    expect(after.body).toContain("<h1>First call in five minutes</h1>");
    const reference = await ask("/reference/gateway/tags/wallets", { headers: { "Accept-Encoding": "br" } });
    expect(brotliDecompressSync(reference.bytes).toString()).toContain("Create a wallet");
    expect(reference.bytes.length).toBeLessThan(750_000 / 40);
    expect(await readFile(join(folder, ".inputs"), "utf8")).toBe(await hashSiteInputs(null));
  });

  test("is built again with the addresses that it is served beside, in every sample", async () => {
    await writeFiles({ ".inputs": await hashSiteInputs(null) });
    const addresses = {
      gatewayUrl: "http://127.0.0.1:8090",
      authUrl: "http://localhost:8091",
      serviceUrls: { ledger: "http://127.0.0.1:8099" },
      consoleUrl: "http://127.0.0.1:8093",
    };
    docs = await startDocs(
      { port: 0, host: "127.0.0.1", addresses },
      { print: (line) => lines.push(line) },
      { folder },
    );
    await docs.built;
    expect(lines).toEqual([]);
    const references = [
      "/reference/gateway.md",
      "/reference/gateway/tags/wallets.md",
      "/reference/auth/tags/tokens.md",
    ];
    const served = ["/guides/first-call.md", "/guides/oauth.md", ...references];
    const text = (await Promise.all(served.map((path) => ask(path)))).map(({ body }) => body).join("");
    expect(text).toContain('curl "http://127.0.0.1:8090/api/v1/wallets"');
    expect(text).toContain('baseUrl: "http://127.0.0.1:8090"');
    expect(text).toContain('curl "http://localhost:8091/api/v1/token"');
    expect(text).not.toMatch(/sandbox\.(?:api|auth)\.gateway|:8080\b|:8081\b|\$GATEWAY_(?:AUTH_)?URL\//);
    const { body } = await ask("/reference/gateway/tags/wallets");
    expect(body).toContain("http://127.0.0.1:8090/api/v1/wallets");
    expect(body).toContain("http://127.0.0.1:8099");
    expect(body).toContain('href="http://127.0.0.1:8093/try/createWallet"');
    expect((await ask("/")).body).toContain('<a class="console-link" href="http://127.0.0.1:8093/">Console</a>');
    // The recorded hash equals that of the requested inputs, so the next start finds the site fresh.
    expect(await readFile(join(folder, ".inputs"), "utf8")).toBe(await hashSiteInputs(addresses));
  });

  test("goes on being served as it was until it is built again", async () => {
    await writeFiles({ "index.html": "<h1>Old</h1>", "gone.html": "gone", ".inputs": "of another time" });
    await start();
    expect((await ask("/")).body).toBe("<h1>Old</h1>");
    await docs.built;
    expect((await ask("/")).body).toContain("Gateway");
    expect((await ask("/gone")).status).toBe(404);
  });

  test("a build that fails is told at the terminal and on the page, and ends nothing", async () => {
    const script = join(folder, "../fails.ts");
    await writeFile(script, 'console.error("errors is <empty>"); process.exit(3);');
    await start(script);
    await docs.built;
    expect(lines).toEqual(["The documentation could not be built: errors is <empty>"]);
    const answer = await ask("/");
    expect(answer.status).toBe(503);
    expect(answer.body).toContain("errors is &#60;empty&#62;");
    expect(answer.body).not.toContain("refresh");
  });

  test("a build under way ends with the server, without a word", async () => {
    const script = join(folder, "../hangs.ts");
    const sign = join(folder, "../began");
    await writeFile(
      script,
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(sign)}, ""); setInterval(() => {}, 1000);`,
    );
    await start(script);
    await waitFor(() => readFile(sign).then(() => true));
    await docs.stop();
    expect(lines).toEqual([]);
    await rm(sign);
  });
});

test("a port that is taken is an error at the start", async () => {
  await writeFiles({ ".inputs": await hashSiteInputs(null) });
  await start();
  const second = startDocs({ port: docs.port, host: "127.0.0.1" }, { print: () => {} }, { folder });
  await expect(second).rejects.toMatchObject({ code: "EADDRINUSE" });
});

async function start(script?: string): Promise<void> {
  docs = await startDocs(
    { port: 0, host: "127.0.0.1" },
    { print: (line) => lines.push(line) },
    { folder, ...(script && { startBuild: (site, print) => startBackgroundBuild(site, print, script) }) },
  );
}

async function writeFiles(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

type Answer = { status: number; headers: IncomingHttpHeaders; body: string; bytes: Buffer };

/** Uses no `fetch`, which would normalise the path. */
function ask(
  path: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request({ host: "127.0.0.1", port: docs.port, path, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on("data", (chunk: Buffer) => chunks.push(chunk));
      res.on("end", () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: bytes.toString(), bytes });
      });
    });
    req.once("error", reject);
    req.end();
  });
}
