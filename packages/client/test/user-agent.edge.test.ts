import { expect, test } from "vitest";
import { readUserAgent } from "../src/user-agent.ts";
import { data } from "./support/fake-gateway.ts";
import { startTestClient } from "./support/test-client.ts";

test("a request says which client on which platform sends it, unless the caller says it", async () => {
  const { client, gateway } = await startTestClient([data({})]);
  await client.account.get();
  await client.account.get({ headers: { "User-Agent": "payroll/7" } });
  const [major] = process.versions.node.split(".");
  expect(gateway.seen.map(({ headers }) => headers["user-agent"])).toEqual([
    `gateway-client/source node/${major}`,
    "payroll/7",
  ]);
});

test.each([
  ["Deno/2.5.1", "gateway-client/source Deno/2.5.1"],
  ["Cloudflare-Workers", "gateway-client/source Cloudflare-Workers"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36", null],
  [undefined, null],
])("of %s is %s: a browser would have to ask leave for it, by a preflight", (userAgent, expected) => {
  expect(readUserAgent(userAgent === undefined ? {} : { userAgent })).toBe(expected);
});
