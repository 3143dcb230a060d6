import type { OpenFact } from "@gateway/engine/work";
import { deploymentAccountId } from "@gateway/platform/audit";
import { requireText, UsageError } from "../arguments.ts";
import type { Commands } from "../command.ts";
import type { Row } from "../render-result.ts";

export const factCommands: Commands = {
  "facts list":
    ({ command }) =>
    async ({ platform, recordRead }) => {
      await recordRead({ accountId: deploymentAccountId, command });
      return (await platform.work.inbox.listOpen(100)).map(factRow);
    },
  "facts retry": (args) => {
    const id = requireText(args, "fact");
    return async ({ platform }) => {
      const accountId = await platform.work.inbox.accountOf(id);
      const status = accountId && (await platform.inAccount(accountId, ({ work }) => work.inbox.retry(id)));
      if (status === null) {
        throw noSuchFact(id);
      }
      return { id, status };
    };
  },
  "facts dismiss": (args) => {
    const id = requireText(args, "fact");
    return async ({ platform }) => {
      const fact = await platform.transaction(({ work }) => work.inbox.dismiss(id));
      if (fact === null) {
        throw noSuchFact(id);
      }
      return factRow(fact);
    };
  },
};

function noSuchFact(id: string): UsageError {
  return new UsageError(`No fact ${id} needs an operator; npm run --silent admin -- facts list shows those that do.`);
}

function factRow({ content, disputed, ...fact }: OpenFact): Row {
  const { id, accountId, port, factId, subjectId, status, receivedAt } = fact;
  const texts = { fact: JSON.stringify(content), disputed: disputed && JSON.stringify(disputed) };
  return { id, accountId, port, factId, subjectId, status, receivedAt, ...texts };
}
