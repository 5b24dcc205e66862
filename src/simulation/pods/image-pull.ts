import { formatDuration } from "../../apimachinery/duration.ts";
import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { ContainerLife } from "../contract/scripted-life.ts";
import type { RecordedEvent } from "../events/recorded-event.ts";
import { nextBackOff } from "./back-off.ts";
import { imageNameProblem } from "./image-names.ts";
import { normalizedImage, pullsAlways } from "./images.ts";
import type { BackOff, ContainerRuntime } from "./pod-runtime.ts";
import type { SyncContext } from "./sync-context.ts";

/** The size of each image, in bytes. */
const imageSize = 50_000_000;

type PullEvent = Omit<RecordedEvent, "fieldPath">;

/** What has become of the image of a container. */
export interface ImagePull {
  readonly isThere: boolean;
  readonly state: ContainerRuntime;
  readonly events: readonly PullEvent[];
  /** When to look again. */
  readonly due?: number;
  /** Of the next pull, if one has failed now. */
  readonly backOff?: BackOff;
  /** The kubelet looks again at once, after it has reported. */
  readonly isBrief?: boolean;
}

interface Context extends Pick<SyncContext, "now" | "gates" | "images"> {
  /** Of pulls of the image for this pod. */
  readonly backOff: BackOff | undefined;
}

/** Pulls the image of a container unless it is there. Upstream: pkg/kubelet/images/image_manager.go. */
export function pullEvents(
  container: JsonObject,
  state: ContainerRuntime,
  life: ContainerLife,
  context: Context,
): ImagePull {
  const image = textAt(container, "image");
  const { now, images } = context;
  const problem = imageNameProblem(image);
  if (problem !== undefined) return invalidName(image, problem, state, context);
  if (life.pullError !== undefined)
    return container["imagePullPolicy"] === "Never"
      ? neverPulled(image, state)
      : failedPull(image, life.pullError || missingImage(image), state, context);
  const { pulledAt, ...rest } = state;
  if (pulledAt !== undefined && pulledAt > now) return { isThere: false, state, events: [], due: pulledAt };
  if (pulledAt !== undefined) {
    images.add(image);
    return { isThere: true, state: rest, events: [pulled(image, life, context)] };
  }
  // Every image counts as loaded on the node if the pod says that it must not be pulled.
  if (isPresent(image, container, images)) {
    const isChecked = context.gates.isEnabled("KubeletEnsureSecretPulledImages");
    const access = isChecked ? " and can be accessed by the pod" : "";
    const message = `Container image "${image}" already present on machine${access}`;
    return { isThere: true, state: rest, events: [normal("Pulled", message)] };
  }
  const pulling = normal("Pulling", `Pulling image "${image}"`);
  const takes = life.pullTakes ?? 0;
  if (takes > 0) {
    return { isThere: false, state: { ...rest, pulledAt: now + takes }, events: [pulling], due: now + takes };
  }
  images.add(image);
  return { isThere: true, state: rest, events: [pulling, pulled(image, life, context)] };
}

function isPresent(image: string, container: JsonObject, images: Context["images"]): boolean {
  return container["imagePullPolicy"] === "Never" || (images.has(image) && !pullsAlways(container));
}

/** The image is missing, and the pod says that it must not be pulled: nothing is tried again. */
function neverPulled(image: string, state: ContainerRuntime): ImagePull {
  const message = `Container image "${image}" is not present with pull policy of Never`;
  return refused(state, { reason: "ErrImageNeverPull", message }, "ErrImageNeverPull");
}

function invalidName(image: string, problem: string, state: ContainerRuntime, { gates }: Context): ImagePull {
  const what = gates.since("1.27") ? "name" : "reference";
  const cause = `couldn't parse image ${what} "${image}": ${problem}`;
  const message = `Failed to apply default image tag "${image}": ${cause}`;
  return refused(state, { reason: "InvalidImageName", message }, "InspectFailed");
}

/** Nothing is pulled, and an Event says why, once. */
function refused(
  state: ContainerRuntime,
  waiting: { readonly reason: string; readonly message: string },
  reason: string,
): ImagePull {
  const events = [warning(reason, waiting.message), warning("Failed", `Error: ${waiting.reason}`)];
  const isSaid = state.waiting?.reason === waiting.reason;
  return { isThere: false, state: { ...state, waiting }, events: isSaid ? [] : events };
}

/** The error of containerd for an image that its registry does not have. */
function missingImage(image: string): string {
  const name = normalizedImage(image);
  const resolving = `failed to resolve reference "${name}": ${name}: not found`;
  return `rpc error: code = NotFound desc = failed to pull and unpack image "${name}": ${resolving}`;
}

/** First the error, then the back-off, each with a status of its own. */
function failedPull(
  image: string,
  error: string,
  state: ContainerRuntime,
  { now, gates, backOff }: Context,
): ImagePull {
  const retry = backOff === undefined ? now : backOff.updated + backOff.milliseconds;
  if (retry > now) {
    const message = `Back-off pulling image "${image}"`;
    const cause = gates.since("1.32") ? `: ErrImagePull: ${error}` : "";
    const waiting = { reason: "ImagePullBackOff", message: `${message}${cause}` };
    const events = [normal("BackOff", message), warning("Failed", "Error: ImagePullBackOff")];
    const isSaid = state.waiting?.reason === waiting.reason;
    return { isThere: false, state: { ...state, waiting }, events: isSaid ? [] : events, due: retry };
  }
  return {
    isThere: false,
    state: { ...state, waiting: { reason: "ErrImagePull", message: error } },
    backOff: nextBackOff(backOff, now, now),
    events: [
      normal("Pulling", `Pulling image "${image}"`),
      warning("Failed", `Failed to pull image "${image}": ${error}`),
      warning("Failed", "Error: ErrImagePull"),
    ],
    isBrief: true,
  };
}

function pulled(image: string, { pullTakes = 0 }: ContainerLife, { gates }: Context): PullEvent {
  const took = formatDuration(BigInt(Math.round(pullTakes)) * 1_000_000n);
  const waiting = gates.since("1.27") ? ` (${took} including waiting)` : "";
  const size = gates.since("1.30") ? `. Image size: ${imageSize} bytes.` : "";
  return normal("Pulled", `Successfully pulled image "${image}" in ${took}${waiting}${size}`);
}

function normal(reason: string, message: string): PullEvent {
  return { type: "Normal", reason, message };
}

function warning(reason: string, message: string): PullEvent {
  return { type: "Warning", reason, message };
}
