import { deploymentAccountId, type ChainVerdict, type ExportedAuditEvent } from "@gateway/platform/audit";
import { parseHead, requireText, UsageError } from "../arguments.ts";
import type { Commands } from "../command.ts";
import type { Row } from "../render-result.ts";

export const auditCommands: Commands = {
  "audit export": (args) => {
    const accountId = requireText(args, "account");
    return async ({ platform, recordRead }) => {
      await recordRead({ accountId, command: args.command });
      return auditRows(platform.audit.exportEvents({ accountId }));
    };
  },
  "audit verify": (args) => {
    const only = args.values.account === undefined ? null : requireText(args, "account");
    const logged = parseHead(args);
    if (logged && only === null) {
      throw new UsageError("--head goes with --account: it is the head of one chain.");
    }
    return async ({ platform: { audit }, recordRead }) => {
      await recordRead({ accountId: only ?? deploymentAccountId, command: args.command });
      const rows: Row[] = [];
      for (const accountId of only === null ? await audit.chains.listAccounts() : [only]) {
        rows.push(verdictRow(await audit.verify({ accountId, logged })));
      }
      return rows;
    };
  },
  "audit forget": (args) => {
    const accountId = requireText(args, "account");
    const personId = args.values.person === undefined ? undefined : requireText(args, "person");
    return async ({ platform }) => ({ events: await platform.audit.forgetPersonal({ accountId, personId }) });
  },
};

/** Rejects with the first event that is wrong: so the command fails. */
function verdictRow({ head, unsealed, wrong }: ChainVerdict): Row {
  if (wrong) {
    const which = wrong.id === null ? `at ${wrong.sequence}` : `at ${wrong.sequence}, ${wrong.id}`;
    throw new Error(`The audit log of ${head.accountId} is not as it was recorded, ${which}: ${wrong.reason}.`);
  }
  return { account: head.accountId, sequence: head.sequence, hash: head.hash.toString("hex"), unsealed };
}

async function* auditRows(events: AsyncIterable<ExportedAuditEvent>): AsyncGenerator<Row> {
  for await (const event of events) {
    yield auditRow(event);
  }
}

function auditRow({ actor, changes, hash, createdAt, ...event }: ExportedAuditEvent): Row {
  return {
    ...event,
    actorType: actor.type,
    actorId: actor.id,
    applicationId: actor.applicationId,
    changes: JSON.stringify(changes),
    createdAt,
    hash: hash?.toString("hex") ?? null,
  };
}
