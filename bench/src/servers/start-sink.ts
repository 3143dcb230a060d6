import { ChildProcessHandle } from "../setup/child-process.ts";

export type SinkQuestion = { reset: boolean };
/** `atMs` is the time since 1970, with fractions. */
export type SinkAnswer = { count: number; arrivals: { eventId: string; atMs: number }[] };

export interface Sink {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  pid: number;
  /** The requests answered since the last `reset`. */
  read(question?: SinkQuestion): Promise<SinkAnswer>;
  stop(): Promise<void>;
}

/** A receiver of deliveries in a process of its own. */
export async function startSink(): Promise<Sink> {
  const handle = new ChildProcessHandle(new URL("./sink.ts", import.meta.url));
  // The sink sends its port first, and afterwards only responses.
  const { port } = (await handle.nextMessage()) as { port: number };
  return {
    pid: handle.pid ?? Number.NaN,
    origin: `http://127.0.0.1:${port}`,
    read: async (question = { reset: false }) => (await handle.ask(question)) as SinkAnswer,
    stop: () => handle.stop(),
  };
}
