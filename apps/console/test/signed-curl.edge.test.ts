import { inheritedEnvironment } from "@gateway/testkit";
import { verifyWebhook } from "@gateway/webhooks";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { signedCurlOf } from "../browser/screens/deliveries/signed-curl.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** The arguments that curl receives, one after the other. In this shell, curl itself is a function. */
function argumentsOf(text: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${text}`;
  const output = execFileSync("bash", ["-c", script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...inheritedEnvironment(), WEBHOOK_SECRET: secret },
  });
  return output.split("\0").slice(0, -1);
}

test.each([
  ["plain", "https://hooks.example.com/gateway"],
  [`quotes ' " $(touch /tmp/never) \`id\` \\ and a line\nbreak`, "https://hooks.example.com/?a=$(id)&b='"],
])("pasted into a shell it is a delivery that verifies, and nothing of it is run: %s", async (note, url) => {
  const body = JSON.stringify({
    ...{ id: "evt_1", type: "wallet.created", created: "2026-01-01T00:00:00Z", livemode: false },
    data: { object: { note } },
  });
  const [target, , , , signature = "", , requestId, , sent = ""] = argumentsOf(
    signedCurlOf({ url, body, requestId: "req_1" }),
  );
  expect([target, requestId, sent]).toEqual([url, "X-Request-Id: req_1", body]);
  await verifyWebhook(sent, signature.replace("X-Service-Signature: ", ""), secret);
  await expect(verifyWebhook(`${sent} `, signature.replace("X-Service-Signature: ", ""), secret)).rejects.toThrow();
});
