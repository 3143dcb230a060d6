import {
  Problem,
  stateMachines,
  type EventPayloads,
  type EventType,
  type EventValue,
  type MachineName,
  type StateMachine,
  type TransitionsOf,
} from "@gateway/contract";
import type { Transaction } from "@gateway/database";
import type { Own } from "./find-own.ts";
import {
  sql,
  type Expression,
  type InsertQueryBuilder,
  type InsertResult,
  type OperationNodeSource,
  type Selectable,
  type SqlBool,
  type Updateable,
} from "kysely";
import type { AccountTransaction } from "./account-time.ts";

/** A table whose rows are in the states of a machine of the document. */
export type Stateful<Machine extends MachineName, Table extends string> = { machine: Machine; table: Table };

declare const ofTransition: unique symbol;

/** An event that a transition emits in the document. Only `begin` and `move` can make one. */
export type TransitionEvent<Type extends EventType = EventType> = EventValue<Type> & { readonly [ofTransition]: true };

/** Makes an event of a transition. A type that the transition does not emit in the document does not compile. */
export type ToEvent<Types extends EventType> = <Type extends Types>(
  type: Type,
  object: EventPayloads[Type],
) => TransitionEvent<Type>;

/** The transitions that create a resource. */
export type Beginnings<Machine extends MachineName> = {
  [Name in keyof TransitionsOf<Machine> & string]: TransitionsOf<Machine>[Name] extends { from: null } ? Name : never;
}[keyof TransitionsOf<Machine> & string];

/** The transitions of an existing resource. */
export type Moves<Machine extends MachineName> = Exclude<keyof TransitionsOf<Machine> & string, Beginnings<Machine>>;

type Emitted<
  Machine extends MachineName,
  Name extends keyof TransitionsOf<Machine>,
> = TransitionsOf<Machine>[Name] extends { emits: readonly (infer Each)[]; mayEmit: readonly (infer Some)[] }
  ? Extract<Each | Some, EventType>
  : never;

type Reached<
  Machine extends MachineName,
  Name extends keyof TransitionsOf<Machine>,
> = TransitionsOf<Machine>[Name] extends { to: infer State } ? State : never;

/**
 * The only way from state to state: a conditional update, so one of many concurrent moves wins. Null when the account
 * has no such resource. Throws `INVALID_STATE` when its state or the guard refuses, and then the transaction must be
 * rolled back.
 */
export async function move<
  Tables,
  Table extends keyof Tables & string,
  Machine extends MachineName,
  Name extends Moves<Machine>,
>(
  trx: AccountTransaction<Tables>,
  { machine, table }: Stateful<Machine, Table>,
  name: Name,
  { id, accountId, set, guard, beside }: Own & Change<Tables[Table]>,
): Promise<{ row: Selectable<Tables[Table]>; event: ToEvent<Emitted<Machine, Name>> } | null> {
  const { property, from, to } = transitionOf(machine, name);
  const rows = rowsOf(trx);
  const row = await (beside ? rows.with("beside", () => insertOf(beside)) : rows)
    .updateTable<string>(table)
    .set({ ...set, [property]: to })
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .where(sql.ref(property), "=", sql`any(${from})`)
    .where(guard ?? sql.lit(true))
    .returningAll()
    .executeTakeFirst();
  if (row) {
    // True because all columns of that table are returned.
    return { row: row as Selectable<Tables[Table]>, event: toEvent };
  }
  const found = await rows
    .selectFrom<string>(table)
    .select(property)
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (found) {
    throw invalidState({ machine, id, state: String(found[property]), name, from });
  }
  return null;
}

type Change<Row> = {
  /** Columns that change together with the state. */
  set?: Updateable<Row>;
  /** A condition in addition to the state: `submitted_at is null`. */
  guard?: Expression<SqlBool>;
  /** An insert of the same statement. It is written before it is known whether the move is refused. */
  beside?: OperationNodeSource;
};

/** For a move of a row that the caller has locked. */
export function expectMoved<Moved>(moved: Moved | null): Moved {
  if (moved === null) {
    throw new Error("The locked row no longer exists.");
  }
  return moved;
}

/** For the insert of a new row: the state that it begins in, and the maker of its events. */
export function begin<Machine extends MachineName, Name extends Beginnings<Machine>>(
  machine: Machine,
  name: Name,
): { state: Reached<Machine, Name>; event: ToEvent<Emitted<Machine, Name>> } {
  // True because the type is computed from the same transition.
  return { state: transitionOf(machine, name).to as Reached<Machine, Name>, event: toEvent };
}

/** Both properties are of one type, because the caller's type parameter connects them. */
const toEvent: ToEvent<EventType> = <Type extends EventType>(type: Type, object: EventPayloads[Type]) =>
  ({ type, object }) as TransitionEvent<Type>;

function transitionOf(machine: MachineName, name: string): { property: string; from: string[]; to: string } {
  const { property, transitions }: StateMachine = stateMachines[machine];
  const transition = transitions[name];
  if (!transition) {
    throw new Error(`The document has no transition ${machine}.${name}.`);
  }
  return { property, from: [...(transition.from ?? [])], to: transition.to };
}

type StatefulRow = { id: string; account_id: string; [column: string]: unknown };

function rowsOf<Tables>(trx: Transaction<Tables>): Transaction<Record<string, StatefulRow>> {
  // Kysely knows the columns of a table by its name, and here it is any: those of all such tables.
  return trx as unknown as Transaction<Record<string, StatefulRow>>;
}

/** An insert into another table, which returns nothing. */
function insertOf(beside: OperationNodeSource): InsertQueryBuilder<Record<string, StatefulRow>, string, InsertResult> {
  // The type of the builder has no influence: the statement returns no row of this insert, which is into another table.
  return beside as InsertQueryBuilder<Record<string, StatefulRow>, string, InsertResult>;
}

type Refused = { machine: MachineName; id: string; state: string; name: string; from: readonly string[] };

function invalidState({ machine, id, state, name, from }: Refused): Problem {
  const noun = machine.replaceAll(/(?<=.)(?=[A-Z])/g, " ").toLowerCase();
  const reason = from.includes(state)
    ? `and ${name} is not possible as it is now`
    : `and ${name} requires one that is ${from.join(" or ")}`;
  return new Problem("INVALID_STATE", `The ${noun} ${id} is ${state}, ${reason}.`);
}
