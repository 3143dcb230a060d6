import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { callApi, faultOf, type Answered, type Call, operations, type OperationId } from "../../data/calls.ts";
import { concernsDone } from "../../data/concerns.ts";
import { isOld } from "../../data/live-lists.ts";

/** Operations that send to a webhook at once. Their results exist a moment later. */
const sending: readonly OperationId[] = ["enableWebhook", "replayDeliveries", "resendDelivery", "sendTestEvent"];
const sentOut: readonly OperationId[] = ["getDelivery", "getWebhookHealth", "listDeliveries"];
const sentMs = 1_000;

/**
 * Performs an action, and reads everything again that it may have changed. The Idempotency-Key stays the same until a
 * response arrives, so pressing again after a lost response acts once. The response is not kept, because it may contain
 * a secret.
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
    // A failure is included, because a refused object often has a state other than the one shown.
    onSettled: (_answer, _error, { operationId }) => {
      if (sending.includes(operationId)) {
        setTimeout(() => sentOut.forEach((id) => void queries.invalidateQueries({ queryKey: ["api", id] })), sentMs);
      }
      return queries.invalidateQueries({ predicate: isOld(concernsDone(operations, operationId)) });
    },
  });
}
