"""Tests of print queues: accepted and refused jobs, and their progress."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tdapp.domain.errors import UserError
from tdapp.services.print_queue import PrintJob, PrintJobState, PrintJobStatus, PrintQueues
from tests.services.cups_server import CupsServer

PDF = b"%PDF-1.4\n%%EOF\n"


@pytest.fixture
def queues(print_service: CupsServer) -> PrintQueues:
    print_queues = PrintQueues.load_cups_queues()
    assert not print_service.printed_documents
    assert print_queues is not None
    return print_queues


def send_document(queues: PrintQueues, queue: str) -> PrintJob:
    return queues.send_pdf(queue, PDF, title="Åpent", options={"copies": "1", "media": "A4"})


def wait_for_status(
    queues: PrintQueues, job: PrintJob, is_expected: Callable[[PrintJobStatus], object]
) -> PrintJobStatus:
    """Read the status of a job until it is as expected."""
    for _ in range(200):
        status = queues.get_status(job)
        if is_expected(status):
            return status
        time.sleep(0.05)
    raise AssertionError(status)


def test_send_pdf_sends_the_pdf_itself(queues: PrintQueues, print_service: CupsServer) -> None:
    job = send_document(queues, "taking")
    assert wait_for_status(queues, job, lambda status: status.state is not PrintJobState.OPEN) == PrintJobStatus(
        PrintJobState.PRINTED
    )
    assert print_service.printed_documents == [PDF]


@pytest.mark.parametrize(("queue", "reason"), [("refusing", "not accepting"), ("unknown", "does not exist")])
def test_send_pdf_reports_the_reason_of_a_refusal(queues: PrintQueues, queue: str, reason: str) -> None:
    with pytest.raises(UserError, match="printer-refuses") as error_info:
        send_document(queues, queue)
    assert reason in str(error_info.value.facts["why"])


@pytest.mark.parametrize(("queue", "reason"), [("stopped", "The toner is gone"), ("off", "unavailable")])
def test_get_status_explains_a_waiting_job_and_its_cancellation(
    queues: PrintQueues, print_service: CupsServer, queue: str, reason: str
) -> None:
    job = send_document(queues, queue)
    assert wait_for_status(queues, job, lambda status: reason in status.message).state is PrintJobState.OPEN
    print_service.run_program("cancel", f"{queue}-{job.number}")
    assert (
        wait_for_status(queues, job, lambda status: status.state is not PrintJobState.OPEN).state
        is PrintJobState.FAILED
    )


def test_print_queues_distinguish_a_stopped_service_from_a_refusing_printer(
    queues: PrintQueues, print_service: CupsServer
) -> None:
    job = send_document(queues, "stopped")
    assert queues.is_print_service_answering()
    print_service.stop_server()
    assert not queues.is_print_service_answering()
    with pytest.raises(UserError, match="print-service-silent"):
        send_document(queues, "taking")
    assert queues.get_status(job) == PrintJobStatus(PrintJobState.OPEN)


def test_get_status_counts_an_unknown_job_as_printed(queues: PrintQueues) -> None:
    assert queues.get_status(PrintJob("taking", 4711)).state is PrintJobState.PRINTED
