import { describe, expect, test } from "vitest";
import { useAuth } from "./support/use-auth.ts";

describe("assets", () => {
  const auth = useAuth();

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${auth.ports[0]}${path}`, { headers });

  test.each([
    ["/assets/style.css", "text/css", "--accent"],
    ["/assets/passkeys.js", "text/javascript", "data-passkey"],
    ["/assets/fields.js", "text/javascript", "data-reveal"],
    ["/assets/password-strength.js", "text/javascript", "strengthOf"],
    ["/assets/password-rules.js", "text/javascript", "minLength = 12"],
    ["/assets/webauthn.js", "text/javascript", "SimpleWebAuthnBrowser"],
    ["/assets/style.css", "text/css", 'url("inter.woff2")'],
    ["/assets/inter.woff2", "font/woff2", "wOF2"],
    ["/assets/icon.svg", "image/svg+xml", "<svg"],
  ])("%s comes from us, and again only when it changed", async (path, type, content) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toContain(type);
    expect(response.headers.get("Cache-Control")).toBe("no-cache");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(await response.text()).toContain(content);
    // Browsers revalidate like this; `fetch` alone would request a fresh response.
    const known = { "If-None-Match": response.headers.get("ETag") ?? "", "Cache-Control": "max-age=0" };
    const again = await get(path, known);
    expect(again.status).toBe(304);
  });

  test.each([
    "/assets/",
    "/assets",
    "/assets/..%2fpackage.json",
    "/assets/%2e%2e/package.json",
    "/assets/none.js",
    "/assets/%00",
  ])("%s is nothing", async (path) => {
    const response = await get(path);
    expect([400, 403, 404]).toContain(response.status);
    expect(await response.text()).toContain("<!doctype html>");
  });
});
