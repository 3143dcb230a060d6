import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import pg from "pg";
import { senderConnections, serveSender } from "./sender.ts";
import { createSigned } from "./sign-body.ts";

const queueName = "deliveries";

// A hand-written sender with a queue: a worker that signs, posts with Node's `fetch`, and stores the attempt.
serveSender(({ origin, body, secret, databaseUrl, redisUrl }) => {
  const connection = new Redis(redisUrl ?? "", { maxRetriesPerRequest: null });
  const queue = new Queue(queueName, { connection });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const signed = createSigned(secret, body);
  let done = 0;
  let wanted = Infinity;
  let onDone = (): void => {};
  const worker = new Worker<{ deliveryId: string; body: string }>(
    queueName,
    async ({ data }) => {
      const startedAt = new Date();
      const response = await fetch(`${origin}/bullmq`, { method: "POST", headers: await signed(), body: data.body });
      await storeAttempt(pool, { ...data, startedAt, status: response.status, answer: await response.text() });
    },
    { connection: connection.duplicate(), concurrency: senderConnections, autorun: false },
  );
  worker.on("completed", () => {
    done += 1;
    if (done === wanted) {
      onDone();
    }
  });
  let failed = (_error: Error): void => {};
  worker.on("failed", (_job, error) => failed(error));
  return {
    prepare: async (count) => {
      await pool.query(createTable);
      await worker.pause();
      for (let index = 0; index < count; index += 1000) {
        const jobs = Array.from({ length: Math.min(1000, count - index) }, (_, offset) => ({
          name: "deliver",
          data: { deliveryId: `dlv_${index + offset}`, body },
          opts: { removeOnComplete: true, attempts: 6 },
        }));
        await queue.addBulk(jobs);
      }
      [done, wanted] = [0, count];
    },
    run: async () => {
      const finished = new Promise<void>((resolve, reject) => {
        onDone = resolve;
        failed = reject;
      });
      if (worker.isRunning()) {
        void worker.resume();
      } else {
        // Runs until the process ends. A failure of Redis shows as a failed job or not at all.
        void worker.run();
        void worker.resume();
      }
      await finished;
    },
  };
});

const createTable = `drop table if exists bullmq_attempts;
  create table bullmq_attempts (
    delivery_id text collate "C" not null,
    number integer not null,
    started_at timestamptz not null,
    duration_ms integer not null,
    outcome text not null,
    http_status smallint,
    response_start text,
    primary key (delivery_id, number)
  )`;

type Attempt = { deliveryId: string; startedAt: Date; status: number; answer: string };

async function storeAttempt(pool: pg.Pool, { deliveryId, startedAt, status, answer }: Attempt): Promise<void> {
  await pool.query({
    name: "store_attempt",
    text: "insert into bullmq_attempts values ($1, $2, $3, $4, $5, $6, $7)",
    values: [deliveryId, 1, startedAt, Date.now() - startedAt.getTime(), "delivered", status, answer.slice(0, 1024)],
  });
}
