import type { OperationHandler } from "../operation.ts";
import { presentPerson } from "@gateway/platform";

export const listPeople: OperationHandler<"listPeople"> = async ({ input, principal, deps }) => {
  const { limit, cursor } = input.query;
  const page = await deps.accounts.people.list({ accountId: principal.accountId, limit, cursor });
  return {
    status: 200,
    data: page.items.map(presentPerson),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
