import { signatureHeaderName } from "@gateway/webhooks";
import { shellQuote } from "../../data/snippets.ts";

export type SentCall = { url: string; requestId: string | null; body: string };

/**
 * The delivery for a shell, signed there with `$WEBHOOK_SECRET` (HMAC-SHA256 over `t.body`). The shell does not execute
 * any part of it.
 */
export function signedCurlOf({ url, requestId, body }: SentCall): string {
  return [
    `BODY=${shellQuote(body)}`,
    "T=$(date +%s)",
    `SIGNATURE=$(printf '%s.%s' "$T" "$BODY" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -hex | sed 's/^.* //')`,
    [
      `curl ${shellQuote(url)}`,
      "-H 'Content-Type: application/json'",
      `-H "${signatureHeaderName}: t=$T,v1=$SIGNATURE"`,
      ...(requestId === null ? [] : [`-H ${shellQuote(`X-Request-Id: ${requestId}`)}`]),
      `--data-raw "$BODY"`,
    ].join(" \\\n  "),
  ].join("\n");
}
