export type { EventType } from "@gateway/contract";
