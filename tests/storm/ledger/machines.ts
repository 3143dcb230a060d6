import type { EventType, MachineName } from "@gateway/contract";
import type { AuditEventType } from "@gateway/platform/audit";
import { sql, type RawBuilder } from "kysely";

type Traces<Name extends string> = Readonly<Partial<Record<Name, RawBuilder<number>>>>;

/**
 * A resource with states: the expected number of each of its traces, by its row. `events` are recorded events,
 * `audited` are actions of people and keys, and `booked` are ledger transactions.
 */
export type Machine = {
  table: string;
  /** The states that end by time or through an external service. */
  open: readonly string[];
  events: Traces<EventType>;
  audited: Traces<AuditEventType>;
  booked: Traces<"hold without release" | "payment booked" | "transfer booked">;
};

const one = sql<number>`1`;

function isAny(...statuses: string[]): RawBuilder<number> {
  return sql<number>`(of.status = any(${statuses}::text[]))::int`;
}

/** Wallets and orders have invariants of their own. A machine that is missing here does not compile. */
const machinesByName: Readonly<Record<Exclude<MachineName, "Wallet" | "Order">, Machine>> = {
  Payment: {
    table: "payments",
    open: ["initiated"],
    events: { "payment.initiated": one, "payment.settled": isAny("settled"), "payment.failed": isAny("failed") },
    audited: {
      "payment.created": one,
      "payment.canceled": sql`(coalesce(failure_code, '') = 'canceled')::int`,
    },
    booked: {
      // Some payments fail before they hold money.
      "hold without release": sql`(of.status <> 'failed' and counterparty_id is not null)::int`,
      "payment booked": isAny("settled"),
    },
  },
  KycVerification: {
    table: "kyc_verifications",
    open: ["submitted", "review_required"],
    events: {
      "kyc.submitted": one,
      "kyc.review_required": sql`(review_until is not null)::int`,
      "kyc.verified": isAny("verified"),
      "kyc.rejected": isAny("rejected"),
    },
    audited: {
      "kyc_verification.created": one,
      "kyc_verification.decided": sql`(coalesce(decided_by ->> 'kind', '') in ('person', 'apiKey'))::int`,
    },
    booked: {},
  },
  CustodyDeposit: {
    table: "deposits",
    open: ["detected"],
    events: {
      // A deposit is booked each time it is seen, and once more when it is confirmed or orphaned.
      "custody.deposit.detected": sql`(
        select (count(*) + ${isAny("detected")}) / 2.0 from ledger_transactions as booked
        where booked.account_id = of.account_id and booked.cause_id = of.id
      )`,
      "custody.deposit.confirmed": isAny("confirmed"),
    },
    audited: {},
    booked: {},
  },
  CustodyTransfer: {
    table: "transfers",
    open: ["initiated", "broadcast"],
    events: { "custody.transfer.initiated": one, "custody.transfer.completed": isAny("completed") },
    audited: { "transfer.created": one, "transfer.canceled": isAny("canceled") },
    booked: {
      "hold without release": isAny("initiated", "broadcast", "completed"),
      "transfer booked": isAny("completed"),
    },
  },
  CustodyApproval: {
    table: "approvals",
    open: ["requested"],
    events: { "custody.approval.requested": one },
    audited: {
      "approval.approved": sql`(
        select count(*) from jsonb_array_elements(decisions) as each where each ->> 'decision' = 'approved'
      )`,
      "approval.rejected": isAny("rejected"),
    },
    booked: {},
  },
};

export const machines = Object.entries(machinesByName).map(([name, machine]) => ({
  ...{ name: name as keyof typeof machinesByName, ...machine },
  traces: {
    ...machine.events,
    ...Object.fromEntries(Object.entries(machine.audited).map(([type, times]) => [`${type} audited`, times])),
    ...machine.booked,
  },
}));

const all = [...new Set(machines.flatMap(({ traces }) => Object.keys(traces)))];
const told = [...new Set(machines.flatMap(({ events }) => Object.keys(events)))];
const audited = [...new Set(machines.flatMap((machine) => Object.keys(machine.audited)))];

const expected = sql.join(
  machines.map(
    ({ name, table, traces }) => sql`
      select ${name}::text as machine, of.id, of.status, trace, expected
      from ${sql.table(table)} as of cross join lateral (values ${sql.join(
        Object.entries(traces).map(([trace, times]) => sql`(${trace}::text, (${times})::numeric)`),
      )}) as traces (trace, expected)`,
  ),
  sql` union all `,
);

/** The holds and releases of an order follow from its fills, so the invariant of holds judges them instead. */
const happened = sql`
  select body::jsonb #>> '{data,object,id}' as id, type as trace, 1 as times from events
  where not is_test and type = any(${told}::text[])
  union all
  select resource_id, type || ' audited', 1 from audit_events where type = any(${audited}::text[])
  union all
  select cause_id, 'hold without release', case kind when 'hold' then 1 else -1 end from ledger_transactions
  where kind in ('hold', 'release') and cause_id not like 'ord\\_%'
  union all
  select cause_id, kind || ' booked', 1 from ledger_transactions where kind in ('payment', 'transfer')`;

/**
 * Resources whose state contradicts their traces, and traces without a resource. Compares the `events` alone, or all
 * traces.
 */
export function standOtherwise(by: "events" | "all"): RawBuilder<{ fault: string }> {
  return sql`
    select coalesce(machine || ' ' || expected.id || ' is ' || status, 'there is no ' || happened.id) || ', and it has '
      || coalesce(times, 0) || ' times: ' || trace || ', not ' || coalesce(trim_scale(expected), 0) as fault
    from (${expected}) as expected full join (
      select id, trace, sum(times) as times from (${happened}) as each group by id, trace
    ) as happened using (id, trace)
    where coalesce(times, 0) <> coalesce(expected, 0) and trace = any(${by === "events" ? told : all}::text[])`;
}

/** Approvals whose transfer does not follow the decision. */
export const decidedOtherwise = sql<{ fault: string }>`
  select 'the approval ' || approvals.id || ' is ' || approvals.status || ' with ' || given || ' of ' || required_approvals
    || ', and its transfer ' || coalesce(transfers.status, 'is gone') as fault
  from approvals cross join lateral (
    select count(*) as given from jsonb_array_elements(decisions) as each where each ->> 'decision' = 'approved'
  ) as counted
  left join transfers on transfers.account_id = approvals.account_id and transfers.id = transfer_id
    and transfers.approval_id = approvals.id
  where not coalesce(case approvals.status
    when 'requested' then transfers.status = 'initiated' and submitted_at is null and given < required_approvals
    when 'approved' then transfers.status <> 'rejected' and given >= required_approvals
    when 'canceled' then transfers.status = 'canceled'
    else transfers.status = 'rejected'
  end, false)`;

/**
 * Resources that time or an external service should have finished when all deadlines have passed, and facts that were
 * not applied or that contradict.
 */
export const leftOpen = sql<{ fault: string }>`
  ${sql.join(
    machines.map(
      ({ name, table, open }) =>
        sql`select ${name}::text || ' ' || id || ' is still ' || status as fault from ${sql.table(table)}
          where status = any(${[...open]}::text[])`,
    ),
    sql` union all `,
  )}
  union all
  select 'the fact ' || fact_id || ' of ' || port || ' is ' || status from inbox_facts
  where status in ('parked', 'mismatched') or disputed is not null`;
