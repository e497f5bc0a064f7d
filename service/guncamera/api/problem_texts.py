"""What people read about each reason: its title, what happened, what to do."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str, str]] = {
    "INPUT_INVALID": (
        "The request is malformed",
        "A field is missing, unknown, of the wrong type or out of range. Nothing was ruled on "
        "and nothing was written.",
        "Read `violations`: each names a field by its path and says what it must be. Correct "
        "them all and send the request again.",
    ),
    "ROLL_INVALID": (
        "The faces do not fit the dice",
        "The faces supplied are not what the dice asked for can show, or there are more of them "
        "than the ruling needed.",
        "Send one face for each die asked for, in order, each from 1 to the sides of its die.",
    ),
    "ODDS_TOO_LARGE": (
        "The odds would take too long",
        "The exact odds of this question would take more runs of the rule than the service "
        "allows. It never answers with an estimate instead.",
        "Ask about a smaller part of the question. Waiting does not help.",
    ),
    "FILM_INVALID": (
        "The film does not hold",
        "Some ruling of the film does not come out as recorded when it is computed again, or "
        "the film is not whole.",
        "Read `detail` for the first action that differs. Export the session anew; if that film "
        "fails too, it was changed or made under other rules.",
    ),
    "CALLER_UNKNOWN": (
        "The caller is not known",
        "The service asks for a key or a seat's token. None was sent, or what was sent is unknown, "
        "expired, revoked, or for another session.",
        "Send a key or the token of a seat in this session, as `Authorization: Bearer …`. Whoever "
        "runs the service gives keys out; with one, a seat can be claimed and its token handed on.",
    ),
    "SEAT_UNKNOWN": (
        "The token is not known",
        "The token sent is no seat's token in this session.",
        "Send the token that claiming the seat returned, as `Authorization: Bearer …`, or none "
        "at all to look on as a spectator.",
    ),
    "SCOPE_MISSING": (
        "The key does not go far enough",
        "The key is good, but its scope does not cover this call.",
        "Use a key with the scope in `metadata.scope`, or ask whoever runs the service for one.",
    ),
    "SEAT_FORBIDDEN": (
        "The seat is not yours",
        "The seat has been claimed, and the call does not carry its token.",
        "Send the seat's token as `Authorization: Bearer …`, or act for a seat that is yours.",
    ),
    "RULESET_UNKNOWN": (
        "No such rule set",
        "The service has no rule set of this name.",
        "List the rule sets at `/v1/rulesets` and use one of their names.",
    ),
    "VARIANT_UNKNOWN": (
        "No such variant",
        "The service offers no variant of this name for the rule set.",
        "List the rule sets at `/v1/rulesets`: each names its variants. Leave `variant` out for "
        "the rules as printed.",
    ),
    "TABLE_NOT_FOUND": (
        "No such table",
        "The rule set has no printed table of this name.",
        "List its tables at `/v1/rulesets/{ruleset}/tables` and use one of their names.",
    ),
    "SESSION_NOT_FOUND": (
        "No such session",
        "No session has this name. It may have been deleted, or have expired after a time "
        "without an action.",
        "Check the name. An exported film can be imported as a new session.",
    ),
    "ACTION_NOT_FOUND": (
        "No such action",
        "The ledger of the session holds no action of this revision.",
        "List the ledger at `/v1/sessions/{session}/actions`; revisions count from 1.",
    ),
    "PHASE_CLOSED": (
        "Not in this phase",
        "The order belongs to another phase of the turn.",
        "List what may be done now at `/v1/sessions/{session}:legalOrders`, or send the order with "
        "`nearest_count`: `nearest` then holds orders to send instead.",
    ),
    "SEAT_NOT_ACTIVE": (
        "Not this seat's turn",
        "Another seat is to act.",
        "Read `active_seats` of the session, or watch it, and act when the seat stands there.",
    ),
    "SEAL_REQUIRED": (
        "The order is to be sealed",
        "In this phase every active seat chooses in secret, and orders of this verb are sealed.",
        "Send the same order to `/v1/sessions/{session}:sealOrder`. All are revealed at once when "
        "the last active seat has sealed its own.",
    ),
    "NOTHING_TO_SEAL": (
        "No such order is sealed now",
        "Orders are given openly in this phase, or those of another verb are sealed.",
        "Read `sealed_verb` of the session. Where it is empty, call the verb itself.",
    ),
    "SECRETS_KEPT": (
        "Something is still hidden",
        "A film shows everything, and something is still hidden in this game.",
        "Export the session when nothing is hidden, at the latest when the game is over.",
    ),
    "REVEAL_NOT_DUE": (
        "There is still time to seal",
        "The session's `seal_seconds` since the last action have not passed.",
        "Come back after the seconds in `Retry-After`, at the session's `reveal_time`. If the "
        "last seat seals before, the orders are revealed by themselves.",
    ),
    "NO_SEAL_DEADLINE": (
        "Nothing is revealed before all have sealed",
        "The session has no deadline, or the rules state no order for a seat that is late.",
        "Wait until every seat in `active_seats` stands in `sealed_seats`. A deadline is set when "
        "a session is created, by `seal_seconds`.",
    ),
    "UNDO_NEEDS_AGREEMENT": (
        "Not to be taken back by one seat alone",
        "Among what would be taken back is another seat's action, dice, a reveal, or a ruling in a "
        "game that hides something; `metadata.cause` says which, and `metadata.revision` where.",
        "Send the call again with `by_agreement`. It is done when every seat has sent the same "
        "one, and lapses with the next action.",
    ),
    "UNDO_IMPOSSIBLE": (
        "Not to be taken back",
        "The ledger cannot go back there, whoever agrees; `metadata.cause` says why.",
        "Read `detail`: it says where it can go back to, if anywhere. Else play on.",
    ),
    "SESSION_FINISHED": (
        "The game is over",
        "The session is finished and takes no more orders. Its seed has been revealed.",
        "Read its result, or export its film. Create a new session to play again.",
    ),
    "RULES_VERSION_CHANGED": (
        "The rules have changed",
        "The rules in force are not the version that the call or the session is pinned to. "
        "Nothing was ruled on.",
        "Read the rule set for the version in force. A stateless call may name that one, or "
        "none; a session goes on where its own version is served.",
    ),
    "VARIANT_CHANGED": (
        "The variant is not here",
        "The game is played by a variant that the service does not offer, or offers in another "
        "form. `metadata` names it with both hashes. Nothing was ruled on.",
        "Go on where that variant is offered, or ask whoever runs the service for its file. What "
        "needs no table can be read and exported here.",
    ),
    "LEDGER_FULL": (
        "The ledger is full",
        "The session holds as many actions as one session may.",
        "Export its film and create a new session.",
    ),
    "SESSION_EXISTS": (
        "The session id is taken",
        "There is a session of this id already.",
        "Choose another id, or leave it out and one is made. To repeat a call safely, send the "
        "same `request_id` with it.",
    ),
    "SEAT_TAKEN": (
        "The seat is taken",
        "Somebody has claimed the seat.",
        "Claim another seat, or use the token that was given out for this one.",
    ),
    "ETAG_MISMATCH": (
        "The session has moved on",
        "The order was meant for a revision that is no longer the latest. Nothing was written.",
        "Read the session again, decide anew, and send the order with the etag it has now. It "
        "stands in `metadata.etag`.",
    ),
    "ACTION_ILLEGAL": (
        "Against the rules",
        "The order or the facts are against a rule, here and now. `rule_id` names it.",
        "Read `detail`: it says what the rule allows. In a session, send the order with "
        "`nearest_count`, and `nearest` holds legal ones to send instead; all are listed at "
        "`/v1/sessions/{session}:legalOrders`.",
    ),
    "ROLL_REQUIRED": (
        "Dice are to be rolled",
        "The call supplies faces of real dice, and the ruling needs more of them. Nothing was "
        "written.",
        "Throw the dice in `roll_required` and repeat the call with their faces after those "
        "already supplied.",
    ),
    "REQUEST_ID_REUSED": (
        "The request id was used before",
        "The session has seen this request id with another request.",
        "Make a new id for every new request; keep one only to repeat the very same request.",
    ),
    "RATE_LIMITED": (
        "Too many calls",
        "A limit of the key, of the session or of creating sessions is used up for this window of "
        "time. A seat whose turn it is plays on with its token.",
        "Come back after the seconds in `Retry-After`; the call was not made. How the limits stand "
        "is read at `/v1/quota`, which costs nothing.",
    ),
    "STREAMS_FULL": (
        "Every stream is taken",
        "The service keeps as many watches and waiting polls open as it may.",
        "Come back after the seconds in `Retry-After`, or poll the ledger without waiting.",
    ),
    "VERB_NOT_IN_RULESET": (
        "The rule set has no such verb",
        "The rules of this game know no such procedure.",
        "Read `verbs` of the rule set.",
    ),
    "STORE_UNAVAILABLE": (
        "Sessions are out of reach",
        "The store that keeps the sessions does not answer. Stateless rulings still work.",
        "Repeat the call after the seconds in `Retry-After`, with the same `request_id`: if the "
        "first one went through after all, you get its action and not a second one.",
    ),
    "RECEIPT_NOT_READY": (
        "The receipt is still being made",
        "A receipt follows from every action before it, and one call goes through so many only.",
        "Repeat the call after the seconds in `Retry-After`; it goes on from where it stopped.",
    ),
    "NOT_READY": (
        "The service is not ready",
        "Something the service needs is missing; `detail` says what.",
        "Wait. If it lasts, whoever runs the service finds the cause in its log.",
    ),
    "ROUTE_NOT_FOUND": (
        "No such address",
        "No call has this path. Verbs follow a colon: `/v1/sessions/{session}:move`.",
        "Compare the path with `/openapi.json`. No address ends in a slash.",
    ),
    "METHOD_NOT_ALLOWED": (
        "Not with this method",
        "The address exists, but not for this HTTP method.",
        "Use one of the methods in the header `Allow`.",
    ),
    "BODY_SLOW": (
        "The body did not come in time",
        "Each MiB of a body has a time to come, and this one took longer. The call was not made.",
        "Send the body along with the headers. The time stands in `metadata.body_seconds`.",
    ),
    "BODIES_FULL": (
        "Too many large bodies at once",
        "The service holds as much of large request bodies as it may. Small ones are read.",
        "Come back after the seconds in `Retry-After`, or send less at once.",
    ),
    "BODY_TOO_LARGE": (
        "The body is too large",
        "The body is larger than the call takes.",
        "Send less at once: split a batch. The limit stands in `metadata.limit_bytes`.",
    ),
    "MEDIA_TYPE_UNSUPPORTED": (
        "The body is not JSON",
        "The body is not declared as JSON, or it is compressed.",
        "Send `Content-Type: application/json` and the body as it is.",
    ),
    "INTERNAL": (
        "Something broke on our side",
        "The service met a fault of its own. It is in the log under the request id.",
        "Quote `request_id` to whoever runs the service. Repeat the call with the same "
        "`request_id` field, if it has one.",
    ),
}
"""Reason to title, meaning and advice; in the order of the HTTP statuses."""
