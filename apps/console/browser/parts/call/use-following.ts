import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState } from "react";
import { concerns } from "../../data/concerns.ts";
import type { Topic } from "../../data/concerns.ts";
import { startFollowing, type Following } from "../../data/follow.ts";
import { isOld } from "../../data/live-lists.ts";
import { endSession, sessionQuery } from "../../data/session.ts";

/** Null: not yet. */
export const FollowingContext = createContext<Following | null>(null);

/** Keeps what is on the page as it is at the gateway, for as long as somebody of the account is signed in. */
export function useFollowing(accountId: string): Following | null {
  const queries = useQueryClient();
  const [following, setFollowing] = useState<Following | null>(null);
  useEffect(() => {
    const started = startFollowing({
      accountId,
      onNews: (news) => askAgain(queries, concerns(news)),
      onBack: () => askAgain(queries, () => true),
      onDoubt: () => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey, refetchType: whoAsks() }),
      onOver: () => endSession(queries),
    });
    const done = started.want("events");
    setFollowing(started);
    return () => {
      done();
      started.stop();
    };
  }, [accountId, queries]);
  return following;
}

/** Follows it while this part is on the page. */
export function useTopic(topic: Topic, isWanted: boolean): void {
  const following = useContext(FollowingContext);
  useEffect(() => (isWanted ? following?.want(topic) : undefined), [following, topic, isWanted]);
}

function askAgain(queries: QueryClient, isConcerned: (operationId: string) => boolean): void {
  void queries.invalidateQueries({ predicate: isOld(isConcerned), refetchType: whoAsks() });
}

/** A hidden tab never asks; when it is looked at again, it asks for what was marked meanwhile. */
function whoAsks(): "active" | "none" {
  return document.hidden ? "none" : "active";
}
