import nock from "nock-14";
import { vi } from "vitest";
import { nockFacts } from "../../../test/transports/nock-facts.ts";
import { interceptKubernetes } from "./nock.ts";

vi.mock("nock", () => import("nock-14"));

nockFacts(nock, interceptKubernetes);
