import { genericServerResponse } from "../../apimachinery/errors.ts";
import type { EndpointResponse } from "../endpoint-response.ts";

/** Placeholder until the patch floor is joined. */
export async function handlePatch(): Promise<EndpointResponse> {
  throw genericServerResponse(415);
}
