import { describe, expect, test } from "vitest";
import { hostOf } from "@gateway/engine/public-host";
import { words } from "@gateway/testkit";
import { checkWebhookAllowedHosts, findUrlProblem, webhookAllowedHostsSetting } from "../../src/events/index.ts";

describe("WEBHOOK_ALLOWED_HOSTS", () => {
  test.each(["localhost", "127.0.0.1", "::1", "fd00::7", "receiver", "hooks.example.com", "xn--bcher-kva.example"])(
    "%s is a host, and allows the URLs that name it",
    (entry) => {
      const allowedHosts = webhookAllowedHostsSetting.read(entry);
      expect(allowedHosts).toEqual([entry]);
      const url = `https://${entry.includes(":") ? `[${entry}]` : entry}:9443/in`;
      expect(hostOf(new URL(url))).toBe(entry);
      expect(findUrlProblem(url, { allowedHosts })).toBeNull();
    },
  );

  test.each([
    ...words`
      https://localhost localhost:9443 localhost/in user@localhost LOCALHOST 127.1 0x7f000001 [::1] 0:0:0:0:0:0:0:1
      ::ffff:127.0.0.1
    `,
    "b\u00fccher.example",
    "*",
    "a b",
    "a?b",
  ])("%s is refused: as it is written it would allow nothing, or not what it seems to", (entry) => {
    expect(() => webhookAllowedHostsSetting.read(`localhost,${entry}`)).toThrow(/hosts as a URL spells them/);
  });

  test("is for the sandbox", () => {
    expect(checkWebhookAllowedHosts({ LIVEMODE: true, WEBHOOK_ALLOWED_HOSTS: ["localhost"] })).toHaveLength(1);
    expect(checkWebhookAllowedHosts({ LIVEMODE: true, WEBHOOK_ALLOWED_HOSTS: [] })).toEqual([]);
    expect(checkWebhookAllowedHosts({ LIVEMODE: false, WEBHOOK_ALLOWED_HOSTS: ["localhost"] })).toEqual([]);
  });
});
