import { words } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { findPublicUrlProblem, findRedirectUriProblem } from "../src/accounts/index.ts";

const scheme = "must begin with https://, or with http:// when its host is 127.0.0.1, [::1] or localhost";
const host = "must have a host of letters, digits, dots and hyphens";
const relative = "must be an absolute URL, such as https://app.example.com/callback";
const login = "must not have a user name or a password";
const fragment = "must not have a fragment";
const wildcard = "must not have a wildcard: each address is registered in full";

const written = (href: string): string => `must be written as ${href}`;

describe("a redirect URI", () => {
  test.each([
    ...words`
      https://app.example.com/ https://app.example.com/callback https://app.example.com:8443/callback
      https://app.example.com/callback/ https://app.example.com/a//b https://app.example.com/callback?tenant=1
      https://app.example.com/callback? https://app.example.com/callback%20here https://xn--bcher-kva.example/
      https://192.0.2.7/callback https://intranet/callback http://127.0.0.1/callback http://127.0.0.1:8400/callback
      http://[::1]:8400/callback http://localhost:3000/
    `,
    `https://app.example.com/${"a".repeat(2000 - 24)}`,
  ])("%s is taken", (text) => {
    expect(findRedirectUriProblem(text)).toBeNull();
  });

  test.each([
    ["", relative],
    ["/callback", relative],
    ["//app.example.com/callback", relative],
    ["app.example.com/callback", relative],
    ["https://", relative],
    ["https://app.example.com:99999/", relative],
    ["https://app example.com/", relative],
    ["https://[::1/", relative],
    ["https://a;script-src/", host],
    ["https://a,b.example/", host],
    ["https://a';b.example/", host],
    ['https://a"b.example/', host],
    ["https://a(b).example/", host],
    ["https://a!b.example/", host],
    ["https://a{b}.example/", host],
    ["http://app.example.com/callback", scheme],
    ["http://127.0.0.2/callback", scheme],
    ["http://localhost.example.com/", scheme],
    ["http://localhost./", scheme],
    ["http://0.0.0.0/", scheme],
    ["http://127.0.0.1.example.com/", scheme],
    ["javascript:alert(1)", scheme],
    ["JaVaScRiPt:alert(1)", scheme],
    ["data:text/html,hi", scheme],
    ["file:///etc/passwd", scheme],
    ["ftp://app.example.com/", scheme],
    ["ws://localhost/", scheme],
    ["com.example.app:/callback", scheme],
    ["urn:ietf:wg:oauth:2.0:oob", scheme],
    ["app.example.com:443/callback", scheme],
    ["https://app.example.com/#", fragment],
    ["https://app.example.com/callback#part", fragment],
    ["https://user@app.example.com/", login],
    ["https://user:secret@app.example.com/", login],
    ["https://:secret@app.example.com/", login],
    ["https://app.example.com@evil.example/", login],
    ["https://*.example.com/callback", wildcard],
    ["https://app.example.com/*", wildcard],
    ["https://app.example.com/callback?next=*", wildcard],
    ["https://app.example.com", written("https://app.example.com/")],
    ["https://app.example.com?a=b", written("https://app.example.com/?a=b")],
    ["https://App.Example.com/", written("https://app.example.com/")],
    ["HTTPS://app.example.com/", written("https://app.example.com/")],
    ["https://app.example.com:443/", written("https://app.example.com/")],
    ["https://app.example.com:/", written("https://app.example.com/")],
    ["https://app.example.com:08443/", written("https://app.example.com:8443/")],
    ["https://@app.example.com/", written("https://app.example.com/")],
    ["https:app.example.com/", written("https://app.example.com/")],
    ["https:/app.example.com/", written("https://app.example.com/")],
    ["https:///app.example.com/", written("https://app.example.com/")],
    ["https:\\\\app.example.com\\", written("https://app.example.com/")],
    ["https://app.example.com/a/../b", written("https://app.example.com/b")],
    ["https://app.example.com/a/./b", written("https://app.example.com/a/b")],
    ["https://app.example.com/a/%2e%2E/b", written("https://app.example.com/b")],
    ["https://app.example.com/a b", written("https://app.example.com/a%20b")],
    [" https://app.example.com/", written("https://app.example.com/")],
    ["https://app.example.com/\n", written("https://app.example.com/")],
    ["https://app.exa\tmple.com/", written("https://app.example.com/")],
    ["https://app.example.com\\@evil.example/", written("https://app.example.com/@evil.example/")],
    ["https://bücher.example/", written("https://xn--bcher-kva.example/")],
    ["https://ａｐｐ.example.com/", written("https://app.example.com/")],
    ["http://127.1/", written("http://127.0.0.1/")],
    ["http://2130706433/", written("http://127.0.0.1/")],
    ["http://[0:0:0:0:0:0:0:1]/", written("http://[::1]/")],
    ["http://LOCALHOST:3000/", written("http://localhost:3000/")],
    [`https://app.example.com/${"a".repeat(2001 - 24)}`, "must have at most 2000 characters"],
  ])("%j is refused, and told why", (text, problem) => {
    expect(findRedirectUriProblem(text)).toBe(problem);
  });

  test("in the form that a refusal names is taken", () => {
    for (const text of ["https://App.example.com:443?a='<>", "http://127.1/a/../b c", "https:bücher.example\\x"]) {
      const [, form = ""] = /^must be written as (.+)$/.exec(findRedirectUriProblem(text) ?? "") ?? [];
      expect(form).not.toBe("");
      expect(findRedirectUriProblem(form)).toBeNull();
    }
  });
});

describe("an address that users' browsers load from or go to", () => {
  test.each([
    "https://app.example.com/",
    "https://app.example.com:8443/logo.svg?v=2",
    "https://8.8.8.8/logo.png",
    "https://localhost.example.com/",
  ])("%s is taken", (text) => {
    expect(findPublicUrlProblem(text)).toBeNull();
  });

  const network = "must not name a host of this machine or of a private network";
  const name = "must name a host with a full domain name, such as example.com";
  const address = "must name an address of the public internet";
  test.each([
    ["http://127.0.0.1/logo.png", "must begin with https://"],
    ["http://app.example.com/", scheme],
    ["https://app.example.com", written("https://app.example.com/")],
    ["https://app.example.com/#logo", fragment],
    ["https://me@app.example.com/", login],
    ["https://a;script-src/", host],
    ["https://[2606:4700::1]/", host],
    ["https://127.0.0.1/", address],
    ["https://10.0.0.1/", address],
    ["https://169.254.169.254/", address],
    ["https://localhost/", network],
    ["https://printer.local/", network],
    ["https://wiki.internal./", network],
    ["https://intranet/", name],
  ])("%s is refused", (text, problem) => {
    expect(findPublicUrlProblem(text)).toBe(problem);
  });
});
