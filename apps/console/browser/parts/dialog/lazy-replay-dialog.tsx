import { lazyPart } from "../page/lazy-part.tsx";

export const ReplayDialog = lazyPart(() => import("./replay-dialog.tsx"), "ReplayDialog");
