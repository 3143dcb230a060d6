import { expect, test } from "vitest";
import { data, refusal } from "./support/fake-gateway.ts";
import { failureOf, startTestClient } from "./support/test-client.ts";

const reason = new Error("The person went away.");

test("a signal that aborts the last try gives its reason, and no timeout", async () => {
  const stop = new AbortController();
  const { client, gateway } = await startTestClient([() => stop.abort(reason)], { maxRetries: 0 });
  expect(await failureOf(client.account.get({ signal: stop.signal }))).toBe(reason);
  expect(gateway.seen).toHaveLength(1);
});

test("a signal ends the request in flight at once, and does not wait for its time to be over", async () => {
  const stop = new AbortController();
  const states: (boolean | undefined)[] = [];
  const fetch = (_url: string, { signal }: RequestInit): Promise<Response> => {
    states.push(signal?.aborted);
    stop.abort(reason);
    states.push(signal?.aborted);
    return Promise.reject(new Error("The connection is closed."));
  };
  const { client } = await startTestClient([], { fetch });
  expect(await failureOf(client.account.get({ signal: stop.signal }))).toBe(reason);
  expect(states).toEqual([false, true]);
});

test("a call that was aborted is not announced as one that is tried again", async () => {
  const stop = new AbortController();
  const retries: unknown[] = [];
  const onRetry = (event: unknown): void => void retries.push(event);
  const { client } = await startTestClient([() => stop.abort(reason)], { onRetry });
  expect(await failureOf(client.account.get({ signal: stop.signal }))).toBe(reason);
  expect(retries).toEqual([]);
});

test("a signal of many calls keeps no listener of those that are over", async () => {
  const stop = new AbortController();
  const listeners = new Set<unknown>();
  const { signal } = stop;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...[type, listener, options]: Parameters<typeof add>) => {
    listeners.add(listener);
    add(type, listener, options);
  };
  signal.removeEventListener = (...[type, listener, options]: Parameters<typeof remove>) => {
    listeners.delete(listener);
    remove(type, listener, options);
  };
  const { client } = await startTestClient([data({ id: "acc_1" }), refusal(404, "NOT_FOUND")]);
  await client.account.get({ signal });
  await failureOf(client.account.get({ signal }));
  expect(listeners.size).toBe(0);
});
