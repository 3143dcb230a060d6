import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { concerns, type Topic } from "../../data/concerns.ts";
import { follow, type Told } from "../../data/follow.ts";
import { isOld } from "../../data/live-lists.ts";
import { endSession, sessionQuery } from "../../data/session.ts";
import { useSession } from "../page/session-context.tsx";

/**
 * Reads the responses again that a topic made outdated, while this part is on the page. A hidden tab waits until it is
 * visible.
 */
export function useTopic(topic: Topic, isWanted = true): void {
  const queries = useQueryClient();
  const accountId = useSession().account.id;
  useEffect(() => {
    const hear = ({ kind, types = [] }: Told): void => {
      const refetchType = document.hidden ? "none" : "active";
      if (kind === "over") {
        endSession(queries);
      } else if (kind === "doubt") {
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey, refetchType });
      } else if (kind !== "none") {
        const predicate = isOld(kind === "back" ? () => true : concerns({ topic, types }));
        void queries.invalidateQueries({ predicate, refetchType });
      }
    };
    return isWanted ? follow({ accountId, topic, hear }) : undefined;
  }, [queries, accountId, topic, isWanted]);
}
