import { createEndOfTurn } from "@gateway/kernel";
import type { Dispatcher } from "undici";
import { expect, test } from "vitest";
import { exchange } from "../src/exchange.ts";

const request = { method: "GET", target: "/", headers: {}, body: null, timeoutMs: 1 } as const;

/** Takes what it is given, and never answers. */
function createDeafDispatcher(): { dispatcher: Dispatcher; sent: string[] } {
  const sent: string[] = [];
  const dispatch = ({ path }: Dispatcher.DispatchOptions): boolean => sent.push(path) > 0;
  // An exchange asks nothing else of it.
  return { dispatcher: { dispatch } as unknown as Dispatcher, sent };
}

test("a request whose time was over before it was written is a timeout, and is not sent", async () => {
  const { dispatcher, sent } = createDeafDispatcher();
  const later: (() => void)[] = [];
  await expect(exchange(dispatcher, request, (work) => later.push(work))).rejects.toMatchObject({
    code: "UPSTREAM_TIMEOUT",
  });
  later.forEach((work) => work());
  expect(sent).toEqual([]);
});

test("one that is written in time is sent once, at the end of the turn", async () => {
  const { dispatcher, sent } = createDeafDispatcher();
  const outcome = exchange(dispatcher, { ...request, timeoutMs: 1_000 }, createEndOfTurn());
  expect(sent).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual(["/"]);
  await expect(outcome).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
});

test("what cannot be sent is UPSTREAM_UNAVAILABLE", async () => {
  const dispatch = (): boolean => {
    throw new Error("The pool is closed.");
  };
  // An exchange asks nothing else of it.
  const closed = { dispatch } as unknown as Dispatcher;
  await expect(exchange(closed, request, (work) => work())).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
});
