import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { callApi, faultOf, type Answered, type Call } from "../../data/calls.ts";
import { concernsDone } from "../../data/concerns.ts";
import { operations } from "../../data/operations.ts";
import { isOld } from "../../data/live-lists.ts";
import type { OperationId } from "../../data/operation-row.ts";

/** What goes to a webhook at once, and is there a moment later. */
const sending: readonly OperationId[] = ["enableWebhook", "replayDeliveries", "resendDelivery", "sendTestEvent"];
const sentOut: readonly OperationId[] = ["getDelivery", "getWebhookHealth", "listDeliveries"];
const sentMs = 1_000;

/**
 * Does something, and asks again for what it may have changed. One Idempotency-Key as long as nothing answered, so that
 * pressing again after a lost answer does it once. The answer is not kept: it may hold a secret.
 */
export function useAction<Id extends OperationId>(onDone: (answer: Answered<Id>, call: Call<Id>) => void) {
  const queries = useQueryClient();
  const key = useRef<string | null>(null);
  return useMutation({
    mutationFn: async (call: Call<Id>): Promise<void> => {
      key.current ??= crypto.randomUUID();
      try {
        onDone(await callApi(call, { idempotencyKey: key.current }), call);
        key.current = null;
      } catch (error) {
        const { status } = faultOf(error);
        if (status !== null && status < 500) {
          key.current = null;
        }
        throw error;
      }
    },
    gcTime: 0,
    // Also after a failure: what was refused often stands differently from what is shown.
    onSettled: (_answer, _error, { operationId }) => {
      if (sending.includes(operationId)) {
        setTimeout(() => sentOut.forEach((id) => void queries.invalidateQueries({ queryKey: ["api", id] })), sentMs);
      }
      return queries.invalidateQueries({ predicate: isOld(concernsDone(operations, operationId)) });
    },
  });
}
