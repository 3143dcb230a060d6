import type { TestReceiver } from "../apps/dispatcher/test/support/receiver.ts";
import { waitFor } from "@gateway/testkit";
import { setImmediate } from "node:timers/promises";
import { test } from "vitest";
import { runUpgrade } from "./upgrade/run-upgrade.ts";

const requests = 300;

test("the release before and this one write at once: no request fails, and each event arrives", async () => {
  await runUpgrade({
    finished: 5_000,
    pending: { waiting: 200, hanging: 5 },
    retryTimeScale: 400,
    answerInPhases: refuseFirstAttempts,
    traffic: () => ({ pause: () => setImmediate(), pauseBeforeRetry: () => setImmediate() }),
    workTogether: async (before, now) => {
      const enough = before.count() + requests;
      await waitFor(() => before.count() >= enough && now.count() >= requests, { timeoutMs: 150_000 });
    },
    print: (line) => console.log(line),
  });
}, 400_000);

/** Each delivery to `/hanging` needs a retry. */
function refuseFirstAttempts(receiver: TestReceiver): { newHasCome(): void; oldHasGone(): void } {
  const refused = new Set<string>();
  receiver.answerWith((res, { path, id }) => {
    const isFirst = path === "/hanging" && !refused.has(id);
    refused.add(id);
    res.writeHead(isFirst ? 503 : 200).end();
  });
  return { newHasCome: () => {}, oldHasGone: () => {} };
}
