import { vi } from "vitest";
import { interceptKubernetes } from "../../src/transports/node/nock.ts";
import { nockFailures } from "./failures-nock.ts";

vi.mock("nock", () => import("nock-14"));

nockFailures("nock 14", interceptKubernetes);
