"""Child processes that run models, so that the program itself stays light."""

from litscape.engine.bulk import Encoded, WorkerOptions
from litscape.engine.process import EngineDiedError
from litscape.engine.query import QueryClient, QueryState
from litscape.engine.supervisor import Engine

__all__ = ["Encoded", "Engine", "EngineDiedError", "QueryClient", "QueryState", "WorkerOptions"]
