import { afterEach, expect, test } from "vitest";
import type { FactRoutes } from "../../src/compose/fact-route.ts";
import { createWorkStore, type WorkStore } from "./work-store.ts";

let store: WorkStore;

afterEach(() => store.database.close());

/** A service that arms a timer for each fact. */
const factRoutes: FactRoutes = {
  test: {
    subjectOf: ({ id }) => String(id),
    apply: async ({ work }, { accountId, subjectId, content }) => {
      await work.queue.arm({ accountId, kind: "tick", subjectId, firesAt: new Date(0) });
      if (content["isBroken"] === true) {
        throw new Error("no");
      }
      return "applied";
    },
  },
};

const told = { port: "test", factId: "1", accountId: "acc_a" };

function countRows() {
  return Promise.all(
    (["inbox_facts", "work_items"] as const).map(
      async (table) => (await store.database.kysely.selectFrom(table).select("id").execute()).length,
    ),
  );
}

test("the service that takes a port's facts writes in the transaction of their receipt", async () => {
  store = await createWorkStore({ factRoutes });
  const receive = (fact: Record<string, unknown>) =>
    store.platform.inAccount("acc_a", ({ work }) => work.inbox.receive({ ...told, fact }));
  await expect(receive({ id: "s", isBroken: true })).rejects.toThrow("no");
  expect(await countRows()).toEqual([0, 0]);
  expect(await receive({ id: "s" })).toBe("applied");
  expect(await countRows()).toEqual([1, 1]);
});

test("a platform without services for ports takes no facts", async () => {
  store = await createWorkStore();
  const refused = store.platform.transaction(({ work }) => work.inbox.receive({ ...told, fact: {} }));
  await expect(refused).rejects.toThrow('No service takes facts of the port "test".');
});
