import { timeOfId } from "@gateway/kernel";
import type { Platform } from "@gateway/platform/compose/platform";
import type { RequestLogGap } from "@gateway/platform/request-log";

export type SentRequest = {
  /** Times before it was sent, and after it was answered or given up. */
  fromMs: number;
  toMs: number;
  /** Null when no response came, because its id is then unknown. */
  requestId: string | null;
};

/** Sends requests without end, four at a time, until it is stopped or the gateway stops responding. */
export function askEndlessly(port: number, key: string): { sent: SentRequest[]; stop(): Promise<void> } {
  const sent: SentRequest[] = [];
  let isStopping = false;
  const askOne = async (): Promise<boolean> => {
    const fromMs = Date.now();
    const answered = await fetch(`http://127.0.0.1:${port}/api/v1/wallets`, { headers: { "X-API-Key": key } }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.headers.get("x-request-id");
      },
      (error: unknown) => (isRefused(error) ? undefined : null),
    );
    if (answered === undefined) {
      return false;
    }
    sent.push({ fromMs, toMs: Date.now(), requestId: answered });
    return answered !== null;
  };
  const loop = async (): Promise<void> => {
    while (!isStopping && (await askOne())) {
      // The next one.
    }
  };
  const loops = [loop(), loop(), loop(), loop()];
  return {
    sent,
    stop: async () => {
      isStopping = true;
      await Promise.all(loops);
    },
  };
}

/** The connection was refused, so the request was never sent. */
function isRefused(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === "ECONNREFUSED";
}

export type WholeLog = { ids: Set<string>; gaps: RequestLogGap[] };

/** All requests and gaps in the log of an account. */
export async function readWholeLog({ requestLog }: Pick<Platform, "requestLog">, accountId: string): Promise<WholeLog> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  let gaps: RequestLogGap[] = [];
  do {
    const page = await requestLog.list({ accountId, onlyOf: null, limit: 100, cursor });
    page.items.forEach(({ id }) => ids.add(id));
    ({ gaps } = page);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return { ids, gaps };
}

/** Whether a request is listed, or is in a gap. */
export function isToldOf({ fromMs, toMs, requestId }: SentRequest, { ids, gaps }: WholeLog): boolean {
  if (requestId !== null && ids.has(requestId)) {
    return true;
  }
  const [first, last] = requestId === null ? [fromMs, toMs] : [timeOfId(requestId), timeOfId(requestId)];
  return gaps.some(({ from, to }) => from.getTime() <= last && to.getTime() >= first);
}
