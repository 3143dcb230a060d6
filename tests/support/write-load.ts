import { randomUUID } from "node:crypto";

/** The request for one wallet. Its name is unique, so its rows can be counted. */
export type Attempt = {
  name: string;
  /** Null when it was sent without one, so that it must not be repeated. */
  idempotencyKey: string | null;
  /** The wallet's id, after a 201 has acknowledged it. */
  acknowledgedAs: string | null;
};

export type WriteLoad = {
  attempts: readonly Attempt[];
  acknowledgedCount(): number;
  /** Begins nothing new and waits for the requests in flight. */
  stop(): Promise<void>;
};

/**
 * Creates wallets from several clients at once, every other one with an Idempotency-Key, as long as they get responses.
 */
export function startWriteLoad(api: string, key: string, { clients = 8 }: { clients?: number } = {}): WriteLoad {
  const attempts: Attempt[] = [];
  let isStopping = false;
  const client = async (): Promise<void> => {
    while (!isStopping) {
      const attempt: Attempt = {
        name: randomUUID(),
        idempotencyKey: attempts.length % 2 === 0 ? randomUUID() : null,
        acknowledgedAs: null,
      };
      attempts.push(attempt);
      if (!(await send(api, key, attempt))) {
        return;
      }
    }
  };
  const running = Array.from({ length: clients }, client);
  return {
    attempts,
    acknowledgedCount: () => attempts.filter(({ acknowledgedAs }) => acknowledgedAs !== null).length,
    stop: async () => {
      isStopping = true;
      await Promise.all(running);
    },
  };
}

/** Sends an attempt, or repeats it. False when no response came, because the server is gone. */
export async function send(api: string, key: string, attempt: Attempt): Promise<boolean> {
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  const answer = await fetch(`${api}/api/v1/wallets`, {
    method: "POST",
    headers: attempt.idempotencyKey === null ? headers : { ...headers, "Idempotency-Key": attempt.idempotencyKey },
    body: JSON.stringify({ name: attempt.name, currency: "EUR" }),
  })
    .then(async (response) => ({ status: response.status, json: (await response.json()) as { data: { id: string } } }))
    .catch(() => null);
  if (answer === null) {
    return false;
  }
  if (answer.status !== 201 || (attempt.acknowledgedAs !== null && attempt.acknowledgedAs !== answer.json.data.id)) {
    throw new Error(
      `A wallet was answered ${answer.status} ${JSON.stringify(answer.json)}; it was acknowledged as ${attempt.acknowledgedAs}.`,
    );
  }
  attempt.acknowledgedAs = answer.json.data.id;
  return true;
}
