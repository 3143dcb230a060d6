import type { Schemas } from "@gateway/contract";
import type { Person } from "./person-view.ts";

export function presentPerson(person: Person): Schemas["Person"] {
  return {
    id: person.id,
    email: person.email,
    name: person.name,
    role: person.role,
    status: person.joinedAt === null ? "invited" : "joined",
    invitedAt: person.invitedAt.toISOString(),
    joinedAt: person.joinedAt?.toISOString() ?? null,
    lastSeenAt: person.lastSeenAt?.toISOString() ?? null,
    createdBy: person.createdBy,
  };
}
