import { atMost, round } from "../row.ts";
import { startSink } from "../servers/start-sink.ts";
import { openWebhookData } from "../setup/webhook-data.ts";
import { percentile, sendSteadily } from "./delivery-latency.ts";
import { dispatcherOptions } from "./dispatcher-options.ts";
import type { Measure } from "./measure.ts";

const name = "Quiet endpoint beside an account with 10,000 due to hosts that hang";

/**
 * One account has 10,000 deliveries due to ten endpoints that take them and never answer; another account's event now and then must not
 * wait for them.
 */
export const measureQuietEndpoint: Measure = async ({ installation, startServer, quick }) => {
  const sink = await startSink();
  const data = await openWebhookData(installation.production);
  try {
    const hanging = await data.createWebhooks({ accounts: 1, perAccount: 10, url: `${sink.origin}/hang` });
    const quiet = await data.createWebhooks({ accounts: 1, perAccount: 1, url: `${sink.origin}/timed` });
    await data.insertDue({ webhooks: hanging, count: 10_000 });
    await startServer("dispatcher.ts", dispatcherOptions(installation.production));
    const count = quick ? 20 : 600;
    const latencies = await sendSteadily({ data, sink, webhooks: quiet, count, perSecond: 20 });
    return {
      id: "j",
      name,
      checks: [atMost(2000, percentile(latencies, 0.95), "p95 ms")],
      figures: { "p50 ms": round(percentile(latencies, 0.5)), "slowest ms": round(percentile(latencies, 1)) },
    };
  } finally {
    await data.clear();
    await data.close();
    await sink.stop();
  }
};
