import type { OpenFact } from "@gateway/engine/work";
import { deploymentAccountId } from "@gateway/platform/audit";
import { requireText, UsageError } from "../arguments.ts";
import type { Commands } from "../command.ts";
import type { Row } from "../render-result.ts";

export const factCommands: Commands = {
  "facts list":
    ({ command }) =>
    async ({ facts, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      return (await facts.listOpen(100)).map(factRow);
    },
  "facts retry": (args) => {
    const id = requireText(args, "fact");
    return async ({ facts, inAccount }) => {
      const accountId = await facts.accountOf(id);
      const status = accountId && (await inAccount(accountId, ({ work }) => work.inbox.retry(id)));
      if (status === null) {
        throw noSuchFact(id);
      }
      return { id, status };
    };
  },
  "facts dismiss": (args) => {
    const id = requireText(args, "fact");
    return async ({ transaction }) => {
      const fact = await transaction(({ work }) => work.inbox.dismiss(id));
      if (fact === null) {
        throw noSuchFact(id);
      }
      return factRow(fact);
    };
  },
};

function noSuchFact(id: string): UsageError {
  return new UsageError(`No fact ${id} waits for anybody; npm run --silent admin -- facts list shows those that do.`);
}

function factRow(fact: OpenFact): Row {
  return {
    id: fact.id,
    accountId: fact.accountId,
    port: fact.port,
    factId: fact.factId,
    subjectId: fact.subjectId,
    status: fact.status,
    receivedAt: fact.receivedAt.toISOString(),
    fact: JSON.stringify(fact.content),
    disputed: fact.disputed && JSON.stringify(fact.disputed),
  };
}
